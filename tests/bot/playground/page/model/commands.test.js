// Slash commands as typed text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describeOption, matchCommands, readCommandLine, readOption } from "../../../../../bot/playground/page/model/commands.js";

/** @import { Command, Option } from "../../../../../bot/playground/seat_api.js" */

/**
 * @param {string} name
 * @param {Partial<Option>} [more]
 * @returns {Option}
 */
function option(name, more = {}) {
  return { name, type: 3, kind: "string", description: "", required: false, autocomplete: false, choices: [], ...more };
}

/**
 * @param {string} path
 * @param {string} [description]
 * @param {Option[]} [options]
 * @returns {Command}
 */
function command(path, description = "", options = []) {
  return { path, command_id: "71", description, options };
}

const COMMANDS = [
  command("campaign create", "Begin a campaign", [option("name"), option("rulebook")]),
  command("campaign", "About the campaign"),
  command("referee rule-on", "Rule on a dispute"),
  command("map", "The map of your side"),
];

test("typing finds commands by their beginning, then by words' beginnings, then anywhere, then by what they do", () => {
  const found = (/** @type {string} */ typed) => matchCommands(COMMANDS, typed).map(({ path }) => path);
  assert.deepEqual(found(""), ["campaign", "campaign create", "map", "referee rule-on"]);
  assert.deepEqual(found("cam"), ["campaign", "campaign create"]);
  assert.deepEqual(found("cr CAM"), ["campaign create"]);
  assert.deepEqual(found("on"), ["referee rule-on"]);
  assert.deepEqual(found("ap"), ["map"]);
  assert.deepEqual(found("side"), ["map"]);
  assert.deepEqual(found("nothing"), []);
  const both = [command("about map"), command("map")];
  assert.deepEqual(matchCommands(both, "map").map(({ path }) => path), ["map", "about map"]);
});

test("a typed line is its longest command, the options that it names, and the rest", () => {
  assert.deepEqual(readCommandLine("/campaign create name: Long Night rulebook: pq17", COMMANDS), {
    command: COMMANDS[0],
    values: { name: "Long Night", rulebook: "pq17" },
    rest: "",
  });
  assert.equal(readCommandLine("/campaign create Long Night", COMMANDS)?.rest, "Long Night");
  assert.equal(readCommandLine("/campaign x", COMMANDS)?.command, COMMANDS[1]);
  assert.equal(readCommandLine("/map", COMMANDS)?.command, COMMANDS[3]);
  assert.equal(readCommandLine("/camp", COMMANDS), null);
  assert.equal(readCommandLine("/mapping", COMMANDS), null);
  assert.equal(readCommandLine("map", COMMANDS), null);
});

test("an option says what it takes", () => {
  assert.equal(describeOption(option("a", { kind: "integer", min_value: 0, max_value: 6 })), "a whole number, 0 to 6");
  assert.equal(describeOption(option("a", { kind: "number", min_value: 1 })), "a number, at least 1");
  assert.equal(describeOption(option("a", { max_length: 20 })), "text, at most 20 characters");
  assert.equal(describeOption(option("a", { choices: [{ name: "Silent", value: "silent" }] })), "one of the list");
});

test("a value is read by its kind and refused in words", () => {
  const speed = option("speed", { kind: "integer", min_value: 0, max_value: 6 });
  assert.deepEqual(readOption(speed, " 3 "), { value: 3 });
  for (const wrong of ["9", "2.5", "fast", "-1"]) {
    assert.deepEqual(readOption(speed, wrong), { error: "speed must be a whole number, 0 to 6." });
  }
  assert.deepEqual(readOption(option("odds", { kind: "number" }), "1,5"), { value: 1.5 });
  assert.deepEqual(readOption(option("name", { min_length: 3 }), "ab"), { error: "name must be text, at least 3 characters; this is 2." });
  assert.deepEqual(readOption(option("name"), "🌑🌑"), { value: "🌑🌑" });
  assert.deepEqual(readOption(option("who", { kind: "user" }), "<@!12345>"), { value: "12345" });
  assert.deepEqual(readOption(option("who", { kind: "user" }), "Blake"), { error: "who: choose a person from the list." });
});

test("true and false have two words each, and no others", () => {
  const ready = option("ready", { kind: "boolean" });
  const read = ["True", "yes", "false", "No"].map((text) => readOption(ready, text).value);
  assert.deepEqual(read, [true, true, false, false]);
  for (const wrong of ["maybe", "constructor"]) {
    assert.deepEqual(readOption(ready, wrong), { error: "ready must be true or false." });
  }
});

test("a choice is taken by its name or its value; a picked value needs no reading", () => {
  const posture = option("posture", { choices: [{ name: "Silent", value: 2 }] });
  assert.deepEqual(readOption(posture, "silent"), { value: 2 });
  assert.deepEqual(readOption(posture, "2"), { value: 2 });
  assert.deepEqual(readOption(posture, "loud"), { error: "posture: choose one of the list." });
  assert.deepEqual(readOption(option("speed", { kind: "integer" }), "TF1", 7), { value: 7 });
});

test("nothing is left out where it may be, and asked for where it may not", () => {
  assert.deepEqual(readOption(option("note"), "  "), {});
  assert.deepEqual(readOption(option("note", { required: true }), ""), { error: "note is needed: text." });
});
