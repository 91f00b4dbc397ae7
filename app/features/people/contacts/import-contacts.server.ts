import { and, eq, inArray } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { queueAccountMail } from '#app/features/accounts/account-mails.server.ts'
import { addToGroup, loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { recordMailConsent } from '#app/features/accounts/mail-consents.server.ts'
import { createInvitationToken } from '#app/features/accounts/one-time-links.server.ts'
import type { ContactLine, ContactsInput, ContactsReport } from './contacts.schema.ts'
import { type Contact, readContacts } from './read-contacts.server.ts'

type NewContact = Contact & { isAgreed: boolean }

/**
 * Checks a table of contacts, and imports it if every line can be: all of it or nothing. People who have an account already keep it as it is,
 * and their consent too. News reaches the others once they have confirmed their address, as for anybody else.
 * @throws {AppError} `forbidden`, `invalid`
 */
export async function importContacts(ctx: Ctx, input: ContactsInput): Promise<ContactsReport> {
  requirePermission(ctx, 'participants.manage')
  const contacts = readContacts(input.text, ctx.site)
  if (!input.store) return { lines: await ctx.db.read((tx) => classifyLines(ctx, tx, contacts, input.consent)), isStored: false }
  return ctx.db.tx(async (tx) => {
    const lines = await classifyLines(ctx, tx, contacts, input.consent)
    if (lines.some(({ outcome }) => outcome === 'faulty')) return { lines, isStored: false }
    await storeContacts(ctx, tx, input, lines, contacts)
    return { lines, isStored: true }
  })
}

async function classifyLines(ctx: Ctx, tx: Tx, contacts: readonly Contact[], consent: string): Promise<ContactLine[]> {
  const known = new Set((await loadAccounts(ctx, tx, contacts)).map(({ email }) => email))
  const seen = new Set<string>()
  return contacts.map(({ row, email, agrees, fault: found }) => {
    // Consent that nobody can trace is none.
    const fault = found ?? (agrees && !consent ? { code: 'required' as const, column: 'consent' } : null)
    const outcome = fault ? 'faulty' : seen.has(email) ? 'repeated' : known.has(email) ? 'known' : 'new'
    seen.add(email)
    return { row, email, outcome, agrees: consent !== '' && (agrees ?? true), fault }
  })
}

const loadAccounts = (ctx: Ctx, tx: Tx, contacts: readonly Contact[]): Promise<{ id: string; email: string }[]> =>
  tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      and(
        eq(users.siteId, ctx.site.id),
        inArray(
          users.email,
          contacts.map(({ email }) => email),
        ),
      ),
    )

async function storeContacts(
  ctx: Ctx,
  tx: Tx,
  { consent, invite, group }: ContactsInput,
  lines: readonly ContactLine[],
  contacts: readonly Contact[],
): Promise<void> {
  const fresh = contacts.flatMap((contact, at): NewContact[] => {
    const line = lines[at]
    return line?.outcome === 'new' ? [{ ...contact, isAgreed: line.agrees }] : []
  })
  for (const contact of fresh) await storeContact(ctx, tx, contact, { consent, invite })
  if (group !== null) await addContactsToGroup(ctx, tx, group, contacts)
  await recordAudit(ctx, tx, {
    action: 'users.import',
    detail: { imported: fresh.length, agreed: fresh.filter(({ isAgreed }) => isAgreed).length, invited: invite, reason: consent },
  })
}

async function storeContact(
  ctx: Ctx,
  tx: Tx,
  { email, login, language, isAgreed }: NewContact,
  { consent, invite }: { consent: string; invite: boolean },
): Promise<void> {
  const now = ctx.now()
  const [user] = await tx
    .insert(users)
    .values({
      siteId: ctx.site.id,
      id: createId(),
      email,
      login,
      locale: language,
      marketingConsentAt: isAgreed ? now : null,
      createdAt: now,
    })
    .onConflictDoNothing({ target: [users.siteId, users.email] })
    .returning()
  // Somebody registered with the address a moment ago: the whole import is tried again.
  if (!user) throw new AppError('conflict')
  if (isAgreed) await recordMailConsent(ctx, tx, { siteId: ctx.site.id, user, given: true, language, source: 'import', words: consent })
  if (!invite) return
  const token = await createInvitationToken(ctx, tx, user)
  await queueAccountMail(ctx, tx, user, { kind: 'contact-invitation', token })
}

async function addContactsToGroup(ctx: Ctx, tx: Tx, groupId: string, contacts: readonly Contact[]): Promise<void> {
  const inside = withTx(ctx, tx)
  const [group] = await loadGroupsById(inside, [groupId])
  if (!group) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/group' }] })
  const people = await loadAccounts(ctx, tx, contacts)
  await addToGroup(
    inside,
    group,
    people.map(({ id }) => id),
  )
}
