import PostalMime from 'postal-mime'
import { type MailReference, findReferences } from './return-address.ts'

/** What a report says about one of our mails. `hard`: the address accepts no mail; `soft`: it did not accept this one. */
export interface DeliveryReport {
  /** Possible references to the mail, most reliable first. */
  references: MailReference[]
  kind: 'hard' | 'soft'
  /** In the words of the mail server that refused it. */
  reason: string
}

type Headers = ReadonlyMap<string, string>

/** Mails nested deeper or with longer headers are not treated as delivery reports. */
export const PARSE_LIMITS = { maxNestingDepth: 5, maxHeadersSize: 256 * 1024 }
/**
 * How much of a mail is read: anybody may send one to the address for returned mails, and each line costs the parser as much as fifty bytes do. A
 * report stands at the start, followed by the original, of which only the headers matter.
 */
export const MOST_READ = { characters: 256_000, lines: 5000 } as const
const MAX_REASON_LENGTH = 500
/** Headers that name the recipient; servers differ. */
const DELIVERED_TO = ['delivered-to', 'x-original-to', 'envelope-to', 'to']
const REPORT_TYPE = /^message\/(global-)?delivery-status$/
const ORIGINAL_TYPE = /^(message\/rfc822|message\/global|text\/rfc822-headers|message\/global-headers)$/

/**
 * Parses a delivery status notification (RFC 3464).
 * @param raw the whole mail, as received
 * @returns undefined for any other mail, and for reports that a mail is delayed, delivered or relayed
 */
export async function readDeliveryReport(raw: string): Promise<DeliveryReport | undefined> {
  const mail = await parseMail(raw)
  const status = mail?.parts.find(({ type }) => REPORT_TYPE.test(type))
  if (!mail || !status) return undefined
  const groups = status.body
    .split(/\n[ \t]*\n/)
    .filter((group) => group.trim())
    .map(parseHeaders)
  const refused = groups.filter((group) => group.get('action')?.toLowerCase() === 'failed').map(classifyRefusal)
  if (refused.length === 0) return undefined
  const { kind, reason } = refused.find((one) => one.kind === 'hard') ?? refused[0]!
  const original = mail.parts.find(({ type }) => ORIGINAL_TYPE.test(type))
  const named = [
    ...groups.map((group) => group.get('original-envelope-id')),
    ...DELIVERED_TO.map((name) => mail.headers.get(name)),
    ...(original ? [parseHeaders(original.body).get('message-id'), parseHeaders(original.body).get('return-path')] : []),
    mail.headers.get('in-reply-to'),
    mail.headers.get('references'),
  ]
  return { references: named.flatMap((line) => findReferences(line ?? '')), kind, reason }
}

interface ParsedMail {
  headers: Headers
  /** Decoded attachments: a report and the mail it is about are attachments too. */
  parts: { type: string; body: string }[]
}

/** @returns undefined for a mail beyond the limits */
async function parseMail(raw: string): Promise<ParsedMail | undefined> {
  try {
    const { headers, attachments } = await PostalMime.parse(takeStart(raw).replace(/^From .*\r?\n/, ''), {
      ...PARSE_LIMITS,
      forceRfc822Attachments: true,
      attachmentEncoding: 'utf8',
    })
    return {
      // Reversed, so that the first header of a name wins.
      headers: new Map(headers.toReversed().map(({ key, value }) => [key, value])),
      parts: attachments.map(({ mimeType, content }) => ({ type: mimeType, body: toText(content).replaceAll('\r\n', '\n') })),
    }
  } catch {
    return undefined
  }
}

function takeStart(raw: string): string {
  let end = -1
  for (let lines = 0; lines < MOST_READ.lines; lines++) {
    end = raw.indexOf('\n', end + 1)
    if (end < 0 || end > MOST_READ.characters) return raw.slice(0, MOST_READ.characters)
  }
  return raw.slice(0, end)
}

const toText = (content: string | ArrayBuffer | Uint8Array): string =>
  typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString()

/** @see RFC 3463: the class says whether it is permanent, the subject whether it concerns the address at all */
function classifyRefusal(group: Headers): Pick<DeliveryReport, 'kind' | 'reason'> {
  const said = (group.get('diagnostic-code') ?? '').replace(/^\s*[\w-]+\s*;\s*/, '').trim()
  const codes = [parseStatusCode(group.get('status') ?? ''), parseStatusCode(said)].filter((code) => code !== undefined)
  // "5.0.0" says nothing; the remote server's own code says more.
  const [code] = [...codes.filter(({ subject, detail }) => subject !== 0 || detail !== 0), ...codes]
  return {
    kind: code?.class === 5 && isAddressFault(code) ? 'hard' : 'soft',
    reason: (said || (group.get('status') ?? '')).slice(0, MAX_REASON_LENGTH),
  }
}

interface StatusCode {
  class: number
  subject: number
  detail: number
}

function parseStatusCode(text: string): StatusCode | undefined {
  const [, kind, subject, detail] = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])/.exec(text) ?? []
  return kind ? { class: Number(kind), subject: Number(subject), detail: Number(detail) } : undefined
}

/** A full mailbox, an oversized mail, or objections to its content or sender say nothing about the address. */
const isAddressFault = ({ subject, detail }: StatusCode): boolean =>
  subject === 0 ||
  subject === 1 ||
  (subject === 2 && detail <= 1) ||
  // No such host, or a recipient that the host refuses by name.
  (subject === 4 && [1, 4, 310].includes(detail)) ||
  (subject === 5 && detail === 0)

/** The first header of each name, unfolded, up to the first empty line. */
function parseHeaders(text: string): Headers {
  const [head = ''] = text.replace(/^\n+/, '').split('\n\n')
  const headers = new Map<string, string>()
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value] = /^([!-9;-~]+):\s*(.*)$/.exec(line) ?? []
    if (name && !headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), (value ?? '').trim())
  }
  return headers
}
