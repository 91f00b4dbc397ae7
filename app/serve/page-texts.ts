import { randomBytes } from 'node:crypto'
import { toScriptString } from '../lib/to-script-string.ts'
import { type Language, matchLanguage } from '../lib/languages.ts'
import type { Namespace } from '../lib/namespaces.ts'
import { TEXTS } from '../server/i18n.ts'
import { compressPieceNow } from './gzip-pieces.ts'

/** Random, so that nothing that people write can contain it. */
export const TEXTS_MARK = `texts${randomBytes(12).toString('hex')}`

const PLACE = new RegExp(`${TEXTS_MARK}/([\\w-]+)/([\\w,-]+)`)
const [START, COMMA, END] = [Buffer.from('{'), Buffer.from(','), Buffer.from('}')]

/** By language and namespace: for the inside of a string in a script. */
const written = new Map<string, Buffer>()
/** What each of these is compressed to. */
const compressed = new WeakMap<Buffer, Buffer>()

/** What a piece of `fillTexts` is compressed to, if it is the same on every page. */
export const findCompressedTexts = (piece: Buffer): Buffer | undefined => compressed.get(piece)

/**
 * Writes the texts that a page was rendered with into the place that its state holds for them. They are three quarters of a page of the
 * administration, and always the same: this way they are neither serialised, encoded, searched nor compressed with each page.
 * @returns the page in pieces
 */
export function fillTexts(html: string): Buffer[] {
  const place = PLACE.exec(html)
  const [mark = '', tag, namespaces = ''] = place ?? []
  const language = matchLanguage(tag)
  if (!place || !language) return [Buffer.from(html)]
  const members = namespaces.split(',').flatMap((namespace, at) => [at === 0 ? START : COMMA, writeTexts(language, namespace as Namespace)])
  return [Buffer.from(html.slice(0, place.index)), ...members, END, Buffer.from(html.slice(place.index + mark.length))]
}

function writeTexts(language: Language, namespace: Namespace): Buffer {
  const key = `${language}/${namespace}`
  const known = written.get(key)
  if (known) return known
  const member = `${JSON.stringify(namespace)}:${JSON.stringify(TEXTS[language][namespace])}`
  const made = Buffer.from(toScriptString(member).slice(1, -1))
  written.set(key, made)
  compressed.set(made, compressPieceNow(made))
  return made
}
