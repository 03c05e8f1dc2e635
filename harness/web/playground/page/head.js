
try { document.documentElement.dataset.theme = localStorage.getItem("robotspec-theme") || "auto"; } catch { document.documentElement.dataset.theme = "auto"; }
document.documentElement.classList.add("scripted");
