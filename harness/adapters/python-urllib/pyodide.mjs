// Runs the adapter in this folder on the Python of a Pyodide package: node pyodide.mjs FOLDER, where FOLDER has the package in
// node_modules. The standard library is the one of that version of Python, compiled for WebAssembly. It has no sockets.
import { readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { loadPyodide } = createRequire(`${resolve(process.argv[2])}/`)('pyodide');
const adapters = dirname(dirname(fileURLToPath(import.meta.url)));

const pyodide = await loadPyodide();
pyodide.setStdin({ read: (buffer) => readSync(0, buffer) });
pyodide.setStdout({ write: (buffer) => writeSync(1, buffer) });
pyodide.setStderr({ write: (buffer) => writeSync(2, buffer) });
pyodide.mountNodeFS('/adapters', adapters);
pyodide.runPython('import runpy; runpy.run_path("/adapters/python-urllib/adapter.py", run_name="__main__")');
