const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and XML, both in elements and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

/** Like `escapeHtml`, but also removes characters that XML cannot represent. */
export const escapeXml = (text: string): string => escapeHtml(Array.from(text).filter(isInXml).join(''))

function isInXml(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code >= 0x20 ? code < 0xd800 || (code > 0xdfff && code !== 0xfffe && code !== 0xffff) : code === 9 || code === 10 || code === 13
}
