const mostBytes = 1024 * 1024;

/** The beginning of a body; the rest is not waited for. */
export async function bodyOf(response: Response): Promise<{ text: string; cut?: true }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | readonly Uint8Array[] = response.body ?? [];
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, mostBytes));
  return size > mostBytes ? { text, cut: true } : { text };
}
