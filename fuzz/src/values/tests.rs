use std::collections::BTreeSet;

use super::*;

/// Another answer to one query would be stated as another reading, or as none.
#[test]
fn the_probes_of_a_trait_have_all_its_readings_and_tell_them_apart() {
    let traits = find_traits();
    let names: BTreeSet<_> = traits.iter().map(|one| (one.field, one.name)).collect();
    assert_eq!(names.len(), traits.len());
    for one in &traits {
        let name = format!("{} {}", one.field, one.name);
        assert!(one.probes.len() >= 3, "{name}");
        let readings = |probe: &ValueProbe| probe.outcomes.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        let first = readings(&one.probes[0]);
        assert!(one.probes.iter().all(|probe| readings(probe) == first), "{name}");
        for (place, reading) in first.iter().enumerate() {
            for (other_place, other) in first.iter().enumerate().skip(place + 1) {
                let differs = |probe: &ValueProbe| probe.outcomes[place].1 != probe.outcomes[other_place].1;
                assert!(one.probes.iter().any(differs), "{name}: {reading} and {other}");
            }
        }
    }
}
