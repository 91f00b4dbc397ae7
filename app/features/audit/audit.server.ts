import { createId } from '#app/lib/uuid.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { writeAtCommit, type Tx } from '#app/server/db/client.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { describeError } from '#app/server/log.ts'
import { type AuditLine, linkLines } from './audit.chain.server.ts'
import type { AuditAction } from './audit.schema.ts'

export interface AuditEntry {
  action: AuditAction
  subject?: { type: string; id: string }
  hubId?: string | null
  projectId?: string | null
  /** Facts that help to understand it later. Never passwords, tokens, answers or people's email addresses. */
  detail?: Record<string, unknown>
  /** From `listChanges`. */
  changes?: Changes
  /** The actor, if it is not the context's viewer: someone signing in, for example. */
  actor?: { id: string; role: string }
  /** Site that the trail belongs to, if it is not the context's: the platform's own. The transaction must be bound to it. */
  siteId?: string
}

export type Changes = Record<string, { before: unknown; after: unknown }>

const MAX_TEXT_LENGTH = 400
const ANY_ID = /[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}/gi

/** Writes an event to the site's audit trail with the commit of the action's transaction, as the next link of the chain. */
export async function recordAudit(ctx: Ctx, tx: Tx, entry: AuditEntry): Promise<void> {
  const viewer = ctx.viewer.kind === 'user' ? { id: ctx.viewer.id, role: ctx.viewer.roleName } : undefined
  const actor = entry.actor ?? viewer
  const siteId = entry.siteId ?? ctx.site.id
  const detail = {
    ...entry.detail,
    ...describeClient(ctx),
    ...(entry.changes && Object.keys(entry.changes).length ? { changes: entry.changes } : {}),
  }
  const line: Omit<AuditLine, 'sequence'> = {
    siteId,
    id: createId(),
    at: ctx.now(),
    actorId: actor?.id ?? null,
    actorRole: actor?.role ?? null,
    action: entry.action,
    subjectType: entry.subject?.type ?? null,
    subjectId: entry.subject?.id ?? null,
    hubId: entry.hubId ?? null,
    projectId: entry.projectId ?? null,
    address: ctx.address,
    // As the database will return it: dates as text, nothing undefined.
    detail: JSON.parse(JSON.stringify(detail)) as unknown,
  }
  await writeAtCommit(tx, `audit events of ${siteId}`, line, (lines) => linkLines(siteId, lines))
}

const MAX_REASON_LENGTH = 400

/**
 * Why the viewer downloads personal data. A program's token that gives no reason gives its name, which says what it is for.
 * @param given the reason, if it is not in the request's address
 * @throws {AppError} `reason-required` without one, or with one of more than 400 characters
 */
export function requireDownloadReason({ reason, viewer }: Ctx, given = reason): string {
  const words = given?.trim()
  if (words && words.length <= MAX_REASON_LENGTH) return words
  const token = viewer.kind === 'user' ? viewer.apiToken : undefined
  if (token && !words) return token.name
  throw new AppError('reason-required', { parameter: 'reason' })
}

/**
 * Records that personal data is downloaded, with the reason. Every such download passes through here.
 * @throws {AppError} `reason-required`
 */
export async function recordPersonalDownload(ctx: Ctx, tx: Tx, entry: AuditEntry, given = ctx.reason): Promise<void> {
  const reason = requireDownloadReason(ctx, given)
  await recordAudit(ctx, tx, { ...entry, detail: { ...entry.detail, reason } })
}

/** How the API's client acted, where a reader of the trail must know: by a program's token, without naming the version it changed. */
const describeClient = ({ viewer, savesUnchecked }: Ctx) => ({
  ...(viewer.kind === 'user' && viewer.apiToken ? { apiToken: viewer.apiToken.name } : {}),
  ...(savesUnchecked ? { withoutVersion: true } : {}),
})

/**
 * Lists the fields that a save really changes, with long texts cut. @param fields fields worth recording; by default all those of `after`
 */
export function listChanges<Row extends object>(
  before: Row,
  after: Partial<Row>,
  fields: readonly (keyof Row & string)[] = Object.keys(after) as (keyof Row & string)[],
): Changes {
  const changes: Changes = {}
  for (const name of fields) {
    const [from, to] = [toPlainJson(before[name]), toPlainJson(after[name])]
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[name] = { before: shortenTexts(from), after: shortenTexts(to) }
  }
  return changes
}

const toPlainJson = (value: unknown): unknown => (value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown))

function shortenTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.slice(0, 40).map(shortenTexts)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortenTexts(inner)]))
}

/** Records that a signed-in user was refused, so that probing becomes visible. Rate-limited, and never fails the request itself. */
export async function recordRefusal(ctx: Ctx, request: { method: string; path: string }): Promise<void> {
  if (ctx.viewer.kind !== 'user') return
  try {
    await countAttempt(ctx, [{ name: 'refusals', of: ctx.viewer.id, most: 30, minutes: 10 }])
    // Anybody may write ids of other sites into an address.
    const path = request.path.replace(ANY_ID, '{id}').slice(0, 300).toWellFormed()
    const detail = { method: request.method, path }
    await ctx.runtime.database.site(ctx.site.id).tx((tx) => recordAudit(ctx, tx, { action: 'refusals.create', detail }))
  } catch (error) {
    if (!isAppError(error, 'too-many-requests')) ctx.runtime.log.warn('a refusal was not noted', describeError(error))
  }
}
