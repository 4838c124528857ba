// Gives a Mach-O file an ad-hoc code signature: no certificate, only a hash of every page, which macOS asks for
// before it starts a program. Bun does the same for Apple silicon; for Intel it leaves the runtime's own
// signature, which no longer fits. The layout is that of XNU's osfmk/kern/cs_blobs.h.

const pageSize = 4096;
const headerSize = 88; // CodeDirectory up to execSegFlags
const indexSize = 20; // SuperBlob with one entry

/** Returns the file with a new signature at its end. */
export function signAdHoc(file: Buffer, identifier: string): Buffer {
  const { signature, linkedit, text } = loadCommands(file);
  const codeLimit = file.readUInt32LE(signature + 8);
  const pages = Math.ceil(codeLimit / pageSize);
  const name = Buffer.from(`${identifier}\0`);
  const directorySize = headerSize + name.length + pages * 32;
  const size = indexSize + directorySize;

  const signed = Buffer.alloc(codeLimit + size);
  file.copy(signed, 0, 0, codeLimit);
  signed.writeUInt32LE(size, signature + 12);
  const linkeditSize = signed.length - Number(signed.readBigUInt64LE(linkedit + 40));
  const linkeditPages = Math.ceil(linkeditSize / pageSize);
  signed.writeBigUInt64LE(BigInt(linkeditPages * pageSize), linkedit + 32); // in memory
  signed.writeBigUInt64LE(BigInt(linkeditSize), linkedit + 48); // in the file

  const index = signed.subarray(codeLimit, codeLimit + indexSize);
  writeAll(index, [0xfade0cc0, size, 1, 0, indexSize]);
  const directory = signed.subarray(codeLimit + indexSize);
  const hashOffset = headerSize + name.length;
  // Magic, length, version, flags (ad hoc, linker signed), where the hashes and the name are, …
  writeAll(directory, [0xfade0c02, directorySize, 0x20400, 0x20002, hashOffset, headerSize]);
  // … no special slots, pages, end of the code; then the kind of hash: 32 bytes, SHA-256, pages of 2^12.
  writeAll(directory.subarray(24), [0, pages, codeLimit]);
  directory.set([32, 2, 0, 12], 36);
  directory.writeBigUInt64BE(signed.readBigUInt64LE(text + 40), 64);
  directory.writeBigUInt64BE(signed.readBigUInt64LE(text + 48), 72);
  directory.writeBigUInt64BE(1n, 80); // this segment belongs to a main program
  name.copy(directory, headerSize);
  for (let page = 0; page < pages; page++) {
    const end = Math.min((page + 1) * pageSize, codeLimit);
    const hash = new Bun.CryptoHasher("sha256").update(signed.subarray(page * pageSize, end)).digest();
    directory.set(hash, hashOffset + page * 32);
  }
  return signed;
}

function loadCommands(file: Buffer) {
  if (file.readUInt32LE(0) !== 0xfeedfacf) throw new Error("Cannot sign: not a 64-bit Mach-O file.");
  let [signature, linkedit, text] = [0, 0, 0];
  let at = 32;
  for (let count = file.readUInt32LE(16); count > 0; count--) {
    const kind = file.readUInt32LE(at);
    const segment = kind === 0x19 ? file.toString("latin1", at + 8, at + 24).replace(/\0+$/, "") : "";
    if (kind === 0x1d) signature = at;
    if (segment === "__LINKEDIT") linkedit = at;
    if (segment === "__TEXT") text = at;
    at += file.readUInt32LE(at + 4);
  }
  if (!signature || !linkedit || !text)
    throw new Error("Cannot sign: the file has no place for a signature.");
  return { signature, linkedit, text };
}

function writeAll(into: Buffer, numbers: number[]) {
  for (const [i, number] of numbers.entries()) into.writeUInt32BE(number, i * 4);
}
