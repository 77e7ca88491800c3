// Ids, colours, sizes, rights and addresses.

import assert from "node:assert/strict";
import { test } from "node:test";

import { allows, compareIds, cssColor, fileSize, webAddress, wordsOf } from "../../../../../bot/playground/page/model/values.js";

test("ids are in order of time, though they are too long for numbers", () => {
  const ids = ["1574106080439098572", "99", "1574106080439098571", "100"];
  assert.deepEqual(ids.sort(compareIds), ["99", "100", "1574106080439098571", "1574106080439098572"]);
  assert.equal(compareIds("41", "41"), 0);
});

test("values are read for the page", () => {
  assert.deepEqual([0x56b4e9, 0xff, 0, null].map(cssColor), ["#56b4e9", "#0000ff", null, null]);
  assert.deepEqual([12, 2048, 1_500_000].map(fileSize), ["12 bytes", "2.0 KB", "1.4 MB"]);
  assert.deepEqual([allows("16", 1n << 4n), allows("8", 1n << 4n), allows("32", 1n << 4n)], [true, true, false]);
  assert.equal(webAddress("https://example.org/r"), "https://example.org/r");
  assert.deepEqual(["javascript:alert(1)", "example.org", undefined].map(webAddress), [null, null, null]);
  assert.deepEqual([wordsOf(new Error("no")), wordsOf("odd")], ["no", "odd"]);
});
