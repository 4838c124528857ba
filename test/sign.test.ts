// A macOS executable cannot be started here; what the kernel checks before it starts one can be looked at.
import { expect, test } from "bun:test";
import { signAdHoc } from "../tools/sign.ts";

const codeLimit = 9000; // two pages and a part of a third

// Header, __TEXT, __LINKEDIT from 8192 on with a few bytes of its own, and a place for a signature.
function program(): Buffer {
  const file = Buffer.alloc(codeLimit + 64, 0xaa).fill(0, 0, 208);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(3, 16);
  segment(file, 32, "__TEXT", 0n, 8192n);
  segment(file, 104, "__LINKEDIT", 8192n, 872n);
  for (const [i, value] of [0x1d, 16, codeLimit, 64].entries()) file.writeUInt32LE(value, 176 + 4 * i);
  return file;
}

function segment(file: Buffer, at: number, name: string, offset: bigint, size: bigint) {
  file.writeUInt32LE(0x19, at);
  file.writeUInt32LE(72, at + 4);
  file.write(name, at + 8);
  file.writeBigUInt64LE(size, at + 32);
  file.writeBigUInt64LE(offset, at + 40);
  file.writeBigUInt64LE(size, at + 48);
}

test("every page has its hash, the last one only as far as the code goes", () => {
  const signed = signAdHoc(program(), "hookline");
  const directory = signed.subarray(codeLimit + 20);
  expect(directory.readUInt32BE(28)).toBe(3);
  const hashes = directory.subarray(directory.readUInt32BE(16));
  for (const [i, end] of [4096, 8192, codeLimit].entries()) {
    const page = signed.subarray(i * 4096, end);
    const hash = hashes.subarray(i * 32, (i + 1) * 32).toString("hex");
    expect(hash).toBe(new Bun.CryptoHasher("sha256").update(page).digest("hex"));
  }
});

test("the signature ends the file and the segment around it holds all of it", () => {
  const signed = signAdHoc(program(), "hookline");
  expect(signed.readUInt32LE(176 + 8) + signed.readUInt32LE(176 + 12)).toBe(signed.length);
  const size = Number(signed.readBigUInt64LE(104 + 48));
  expect(8192 + size).toBe(signed.length);
  expect(Number(signed.readBigUInt64LE(104 + 32))).toBe(Math.ceil(size / 4096) * 4096);
});

test("a file that is not Mach-O is refused", () => {
  expect(() => signAdHoc(Buffer.alloc(64), "hookline")).toThrow("not a 64-bit Mach-O file");
});
