"""What is said of each kind of event, and of the values that are words.

A sentence is a template over the fields of its kind (``worldsim.views.words.telling`` fills it in):

- ``{team}``: a field; amounts, lists and numbers are written out.
- ``{rounds:round}``: a number and what it counts: ``1 round``, ``4 rounds``.
- ``{stamina:+point}``: the same with its sign: ``+5 points``; of amounts, each with its sign.
- ``{ambush:from ambush|in the open}``: the one if the field is true, else the other.
- ``[, eats {eaten}]``: left out where no field in it says anything.
"""

from __future__ import annotations

SENTENCES: dict[str, str] = {
    "campaign.started": "The campaign {campaign} begins, with seed {seed} and digest {digest}.",
    "reserve.founded": "At the start {place} (the {pool} reserve of {region}) holds {stock}.",
    "colony.founded": "The colony {colony} of {faction} stands in {sector}, with {store} in store.",
    "team.formed": ("The {profile} team {team} of {colony} is ready: {members:member}, {members}."),
    "weather.changed": (
        "The weather of {region} turns {weather}: difficulty {difficulty:+point} to survive."
    ),
    "reserve.regrown": "In {place} {grown} grew back.",
    "reserve.depleted": "The last unit of {ingredient} is taken from {place}.",
    "reserve.adjusted": (
        "Somebody changes what lies in {place}[: {added} added][: {removed} removed]."
    ),
    "intervention.made": "From this dawn on something is different: {intervention}.",
    "intervention.ended": "It is as it was before: {intervention} is over.",
    "campaign.stopped": "The campaign ends, since campaign.stop.{condition} holds.",
    "sector.mapped": "{team} maps {sector}: {colony} knows its stock from now on.",
    "sector.eased": "{team} makes {sector} easier to live in: its difficulty is {difficulty}+ now.",
    "colony.fed": "At {colony} {people:person:people} at home eat {eaten}.",
    "colony.starved": (
        "The store of {colony} cannot feed the {people:person:people} at home: they eat {eaten},"
        " and nobody recovers."
    ),
    "team.rested": (
        "{team} rests for a day: {resilience_short:point} of Resilience to regain, Stamina"
        " {stamina_least} of 100 at least, Efficiency {efficiency} of 100."
    ),
    "team.contributed": "{team} works a day for its colony, which gains {points:point}.",
    "team.disbanded": (
        "{team} is worn and disbanded[, and loses {experience_lost:point} of experience]."
    ),
    "team.reformed": "{team} stands again: {members:member}, {members}.",
    "member.recruited": "{member} joins {team} as {role}.",
    "team.departed": (
        "{team} leaves for {target}, {distance:point} of way off, to {mission} (policy {policy})"
        "[, with {rations} as rations]."
    ),
    "team.endured": (
        "{team} survives a day at {place} in {weather} weather: {successes:success:successes}"
        " against {difficulty}+, Situation {situation} of 100, Efficiency {efficiency} of 100"
        "[; eats {ate_rations} of its rations][; eats {ate_cargo} of its cargo]"
        "[; finds {foraged} to eat][; hungry for {hungry_days:day}]."
    ),
    "team.searched": (
        "{team}, lost at {place} for {lost_days:day}, tries to be heard:"
        " {successes:success:successes} against {difficulty}+, Efficiency {efficiency} of 100"
        "[; eats {ate_rations} of its rations][; eats {ate_cargo} of its cargo]"
        "[; finds {foraged} to eat][; hungry for {hungry_days:day}]."
    ),
    "team.stranded": (
        "{team} is stranded at {place}, with Situation {situation} of 100:"
        " {held:it holds out|it will be lost from tomorrow on}."
    ),
    "team.lost": "{team} is lost at {place}, because {reason}.",
    "team.found": ("{team} is heard at {place} and goes home, {covered:point} of way."),
    "team.perished": "{team} is gone at {place}, because {reason}[; {lost} are lost with it].",
    "team.moved": (
        "{team} moves {progress:point} {heading} and is in {place}: {travelled} of"
        " {distance:point} of way."
    ),
    "team.arrived": "{team} arrives in {sector}.",
    "team.waited": "{team} waits for a day at {place}.",
    "team.gathered": (
        "{team} {activity} at {place} ({pool} reserve): Limit {gathering_limit:unit},"
        " {kinds_present:kind} met, {units_found:unit} found, {units_tried:unit} tried,"
        " {taken} taken[, {destroyed} destroyed][, {mishap}]."
    ),
    "team.explored": ("{team} explores {place}: {successes:success:successes}, {total} in all."),
    "team.researched": "{team} does research at {place}: {successes:success:successes}.",
    "team.constructed": "{team} builds at {place}: {successes:success:successes}.",
    "team.turned_back": (
        "{team} turns back at {place}, because {reason}; {covered:point} of way lie before it."
    ),
    "team.returned": (
        "{team} is home at {colony} after {days_away:day} and brings {delivered}"
        "[, {rations} of rations left]; its experience is {experience} now."
    ),
    "wildlife.met": (
        "{team} meets {animal} at {place}: {noticed:success:successes} to notice it,"
        " {defended:success:successes} to defend, {wounds:wound}."
    ),
    "team.affected": (
        "{team} at {place} meets {entry} (table {event_table})"
        "[: {progress:+point} of way][; Efficiency {efficiency:+point}]"
        "[; Situation {situation:+point}][; Stamina {stamina:+point}]"
        "[; Resilience {resilience:+point}][; finds {found}][; loses {lost}]."
    ),
    "member.hurt": (
        "{member} of {team} loses {damage:point} of Health to {harm}; {health} are left."
    ),
    "member.collapsed": "{member} of {team} falls into a coma, at {health:point} of Health.",
    "member.died": "{member} of {team} {harm}.",
    "member.recovered": "{member} of {team} wakes from the coma, at {health:point} of Health.",
    "team.slipped_away": "{team} leaves {sector}, unseen by {unseen_by}.",
    "sector.contested": "{team} meets {rivals} in {sector}: there is battle.",
    "battle.started": (
        "{attacker} attacks {defender} in {sector}, {ambush:from ambush|in the open}"
        "{assault:, as an assault|}."
    ),
    "battle.round_fought": (
        "Round {number} in {sector}: {attacker} with Initiative {attacker_initiative} against"
        " {defender} with {defender_initiative}, {attacker_first:the attacker|the defender} fires"
        " first; {attacker_hits:hit} by the attacker, {defender_hits:hit} by the defender"
        "[, {overkill} of them on targets already down]."
    ),
    "card.fell": "{card} of {team} falls in battle.",
    "card.recovered": "{card} of {team} is back.",
    "battle.ended": (
        "{winner} beats {loser} in {sector} after {rounds:round}, because {reason}: the loser"
        " walks home, {covered:point} of way[, and leaves {lost}]."
    ),
    "sector.secured": "No enemies are left in {sector}, where {teams} stay.",
    "sector.claimed": "{team} takes {sector} for {faction}[, from {taken_from}].",
}
"""The sentence of each kind but ``dice.rolled``, which ``worldsim.views.words.rolls`` tells."""

_HARM = {
    "wildlife": "wildlife",
    "hunger": "hunger",
    "lost": "being lost",
    "event": "what befell the team",
}
PHRASES: dict[str, dict[str, str]] = {
    "reserve.founded.pool": {"sector": "sector", "transition": "transition"},
    "team.gathered.pool": {"sector": "sector", "transition": "transition"},
    "team.gathered.activity": {"gather": "gathers", "hunt": "hunts"},
    "team.gathered.mishap": {
        "none": "",
        "minor": "a minor mishap",
        "average": "an average mishap",
    },
    "team.moved.heading": {"out": "onward", "home": "homeward"},
    "team.lost.reason": {
        "situation": "its Situation came to nothing",
        "stranded": "it was stranded and did not hold out",
        "unconscious": "nobody is conscious",
    },
    "team.perished.reason": {
        "dead": "nobody is alive",
        "never_found": "nobody found it in time",
    },
    "team.turned_back.reason": {
        "target_reached": "it has what it came for",
        "day_limit": "its days on site are over",
        "full": "nothing more fits its load",
        "idle": "its days on site brought nothing",
        "situation": "its Situation might not last longer",
        "slipped_away": "it slipped away from an enemy",
    },
    "battle.ended.reason": {
        "absent": "the loser has nobody to fight",
        "defeated": "the loser has nobody standing",
        "out_of_time": "the last round is over",
    },
    "member.hurt.harm": _HARM,
    "member.died.harm": {
        **{harm: f"dies of {said}" for harm, said in _HARM.items()},
        "vanished": "disappears and counts as dead",
    },
}
"""By kind and field what is said for each value that is one word of a few."""
