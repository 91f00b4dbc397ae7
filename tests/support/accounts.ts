import { and, asc, eq } from 'drizzle-orm'
import type { Language } from '#app/lib/languages.ts'
import { hashPassword } from '#app/server/auth/passwords.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { getUnmaskedBodies } from '#app/server/mail/mask-secrets.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, type Person } from './people.ts'

/** Password of every account from `addAccount`. Hashed only once, because hashing is slow. */
export const PASSWORD = 'quillwort-and-bramble'
let passwordHash: Promise<string> | undefined

export interface Account extends Person {
  /** A request context of theirs, loaded afresh. */
  ctx(options?: Parameters<typeof createCtx>[2]): Promise<Ctx>
}

/** A person from `addPerson` who can also sign in with `PASSWORD`. */
export async function addAccount(
  runtime: Runtime,
  site: Site,
  options: Parameters<typeof addPerson>[2] & { login?: string; locale?: Language } = {},
): Promise<Account> {
  const person = await addPerson(runtime, site, options)
  const siteId = options.role === 'platform_admin' ? PLATFORM_SITE_ID : site.id
  const hash = await (passwordHash ??= hashPassword(PASSWORD))
  await runtime.database.site(siteId).tx((tx) =>
    tx
      .update(users)
      .set({ passwordHash: hash, login: options.login ?? 'Ann Tremblay', locale: options.locale ?? 'en' })
      .where(and(eq(users.siteId, siteId), eq(users.id, person.id))),
  )
  return { ...person, ctx: (ctxOptions) => withViewer(createCtx(runtime, site, ctxOptions), person.token) }
}

/** Mails in the outbox for an address, oldest first. */
export const loadMailsTo = (runtime: Runtime, siteId: string, recipient: string) =>
  runtime.database.site(siteId).tx((tx) =>
    tx
      .select()
      .from(outboxMails)
      .where(and(eq(outboxMails.siteId, siteId), eq(outboxMails.recipient, recipient)))
      .orderBy(asc(outboxMails.createdAt), asc(outboxMails.id)),
  )

/** The secret token from the latest mail of a kind to an address. */
export async function requireMailedToken(runtime: Runtime, siteId: string, recipient: string, kind: string): Promise<string> {
  const mail = (await loadMailsTo(runtime, siteId, recipient)).findLast((one) => one.kind === kind)
  const token = /[?&]token=([\w-]{43})\b/.exec(mail ? getUnmaskedBodies(mail).text : '')?.[1]
  if (!token) throw new Error(`No link in a mail ${kind} to ${recipient}`)
  return token
}

export interface ResourceItem {
  id: string
  attributes: Record<string, unknown>
}

/** The single resource of a response; throws if there is none. */
export function requireItem(answer: { body: { data?: unknown } | undefined }): ResourceItem {
  if (!answer.body?.data) throw new Error('The answer has no data')
  return answer.body.data as ResourceItem
}

/** The resources of a response; throws if it has no list. */
export function requireItems(answer: { body: { data?: unknown } | undefined }): ResourceItem[] {
  if (!Array.isArray(answer.body?.data)) throw new Error('The answer has no list')
  return answer.body.data as ResourceItem[]
}

/** The token in the response to a sign-in. */
export const readToken = (answer: { body: { data?: unknown } | undefined }): string => String(requireItem(answer).attributes['token'])
