import { expect, test } from "bun:test";
import { asWindowsReads } from "./paths.ts";

test("the names by which Windows knows one and the same file", () => {
  const policy = String.raw`C:\ws\hookline.yaml`;
  for (const [given, read] of [
    [policy, policy],
    [`${policy}.`, policy],
    [`${policy} . `, policy],
    [`${policy}::$DATA`, policy],
    [`${policy}:stream`, policy],
    [String.raw`C:\ws. \hookline.yaml`, policy],
    ["hookline.yaml.", "hookline.yaml"],
    ["./src/../a.", "./src/../a"],
    ["C:src", "C:src"],
    ["..", ".."],
    ["/c/ws/a.ts", "c:/ws/a.ts"],
    ["/c", "c:/"],
    ["/cygdrive/d/x", "d:/x"],
    ["/code/x", "/code/x"],
    ["/tmp/x", "C:/tmp/x"],
    ["/tmpx", "/tmpx"],
    ["a/.../b", "a/.../b"],
    [String.raw`\\?\C:\ws\hookline.yaml.`, String.raw`\\?\C:\ws\hookline.yaml.`],
    [String.raw`\\server\share\a.`, String.raw`\\server\share\a`],
  ] as const)
    expect([given, asWindowsReads(given)]).toEqual([given, read]);
});
