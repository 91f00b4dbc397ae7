const encoder = new TextEncoder()

/** SHA-256 of a text in UTF-8, as hexadecimal digits. For the server, the command line and browsers, which have it on encrypted pages only. */
export async function hashText(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
