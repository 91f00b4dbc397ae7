import { and, eq, inArray } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { addAnswers, type PersonAnswer } from '#app/features/profile-answers/store-answers.server.ts'
import { type CellReader, loadCellReaders } from '#app/features/profile/read-cells.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { queueAccountMail } from '#app/features/accounts/account-mails.server.ts'
import { addToGroup, loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { recordMailConsent } from '#app/features/accounts/mail-consents.server.ts'
import { createInvitationToken } from '#app/features/accounts/one-time-links.server.ts'
import type { AnswerColumn, ContactColumn, ContactLine, ContactsInput, ContactsReport } from './contacts.schema.ts'
import { type Contact, type ContactTable, findOwnColumns, readContacts, readContactTable } from './read-contacts.server.ts'

/** A row of the file, what it says about the person, and what becomes of it. */
interface ContactRow extends Contact {
  said: { reader: CellReader; answer: PersonAnswer['answer']; text: string }[]
  line: ContactLine
}

/** Columns of answers with the questions that they answer. */
type AnswerReaders = ReadonlyMap<number, CellReader>

/**
 * Checks a table of contacts, and imports it if every line can be, or the others are to be left out. People who have an account already keep it
 * as it is, and their consent too; answers are added to what they said, and replace nothing. News reaches the others once they have confirmed
 * their address, as for anybody else.
 * @throws {AppError} `forbidden`; `invalid` at `/file`, `/email`, `/answers`, `/group`, or at `/basis` if answers are to be stored without it
 */
export async function importContacts(ctx: Ctx, input: ContactsInput): Promise<ContactsReport> {
  requirePermission(ctx, 'participants.manage')
  const table = await readContactTable(input.file, ctx.site.id)
  const contacts = readContacts(table, ctx.site)
  if (!input.store)
    return ctx.db.read(async (tx) => {
      const { answers, report } = await prepareReport(ctx, tx, input, table)
      return { ...report, lines: (await classifyRows(ctx, tx, input, contacts, table, answers)).map(({ line }) => line) }
    })
  return ctx.db.tx(async (tx) => {
    const { answers, report } = await prepareReport(ctx, tx, input, table)
    const rows = await classifyRows(ctx, tx, input, contacts, table, answers)
    const lines = rows.map(({ line }) => line)
    const right = rows.filter(({ line }) => line.outcome !== 'faulty')
    if (right.length === 0 || (right.length < rows.length && !input.skipsFaulty)) return { ...report, lines }
    if (answers.size > 0 && !input.basis) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/basis' }] })
    return { ...report, lines, isStored: true, answersStored: await storeContacts(ctx, tx, input, right) }
  })
}

/** Which columns answer which questions, and the report without its lines. */
async function prepareReport(ctx: Ctx, tx: Tx, input: ContactsInput, table: ContactTable) {
  const readers = await loadCellReaders(ctx, tx, { locks: input.store })
  const own = findOwnColumns(table)
  const isOwn = (column: number) => [...own.values()].includes(column)
  const answers: AnswerReaders = input.answers ? requireAnswers(input.answers, readers, isOwn) : guessAnswers(table, readers, isOwn)
  const columns = table.headings.map((heading, at): ContactColumn => {
    const reader = answers.get(at)
    return {
      heading: heading.trim(),
      sample: table.rows.map(({ cells }) => cells[at]?.trim() ?? '').find((cell) => cell !== '') ?? '',
      use: reader ? 'answer' : ([...own].find(([, place]) => place === at)?.[0] ?? null),
      question: reader?.row.key ?? null,
    }
  })
  const questions = readers.map(({ row, label, purpose }) => ({ key: row.key, label, purpose, retentionMonths: row.retentionMonths }))
  const report: ContactsReport = { columns, questions, lines: [], isStored: false, answersStored: 0 }
  return { answers, report }
}

/** @throws {AppError} `invalid` at `/answers` if a column or question is named twice, or the site does not ask it */
function requireAnswers(
  chosen: readonly AnswerColumn[],
  readers: readonly CellReader[],
  isOwn: (column: number) => boolean,
): AnswerReaders {
  const found = new Map<number, CellReader>()
  for (const { column, question } of chosen) {
    const reader = readers.find(({ row }) => row.key === question)
    if (!reader || isOwn(column) || found.has(column) || [...found.values()].includes(reader))
      throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/answers' }] })
    found.set(column, reader)
  }
  return found
}

function guessAnswers({ headings }: ContactTable, readers: readonly CellReader[], isOwn: (column: number) => boolean): AnswerReaders {
  const found = new Map<number, CellReader>()
  for (const [at, heading] of headings.entries()) {
    const reader = readers.find((one) => one.isNamedBy(heading))
    if (reader && !isOwn(at) && ![...found.values()].includes(reader)) found.set(at, reader)
  }
  return found
}

async function classifyRows(
  ctx: Ctx,
  tx: Tx,
  { consent }: ContactsInput,
  contacts: readonly Contact[],
  table: ContactTable,
  answers: AnswerReaders,
): Promise<ContactRow[]> {
  const known = new Set((await loadAccounts(ctx, tx, contacts)).map(({ email }) => email))
  const seen = new Set<string>()
  return contacts.map((contact, index) => {
    const { row, email, agrees } = contact
    const cells = [...answers].map(([at, reader]) => ({ at, reader, ...reader.read(table.rows[index]?.cells[at] ?? '') }))
    const wrong = cells.find(({ fault }) => fault !== null)
    const fault =
      contact.fault ??
      // Consent that nobody can trace is none.
      (agrees && !consent ? { code: 'required' as const, column: 'consent' } : null) ??
      (wrong?.fault ? { code: wrong.fault, column: table.headings[wrong.at]?.trim() ?? '' } : null)
    const outcome = fault ? 'faulty' : seen.has(email) ? 'repeated' : known.has(email) ? 'known' : 'new'
    if (!fault) seen.add(email)
    const said = cells.flatMap(({ reader, answer, text }) => (answer === undefined ? [] : [{ reader, answer, text }]))
    const line = {
      row,
      email,
      outcome,
      agrees: consent !== '' && (agrees ?? true),
      fault,
      answers: said.map(({ reader, text }) => ({ question: reader.row.key, text })),
    } satisfies ContactLine
    return { ...contact, said, line }
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

/** @returns how many answers were stored */
async function storeContacts(
  ctx: Ctx,
  tx: Tx,
  { consent, invite, group, basis }: ContactsInput,
  rows: readonly ContactRow[],
): Promise<number> {
  const fresh = rows.filter(({ line }) => line.outcome === 'new')
  for (const row of fresh) await storeContact(ctx, tx, row, { consent, invite })
  const people = new Map((await loadAccounts(ctx, tx, rows)).map(({ id, email }) => [email, id]))
  if (group !== null) await addContactsToGroup(ctx, tx, group, [...people.values()])
  const answersStored = await addAnswers(
    ctx,
    tx,
    rows
      .filter(({ line }) => line.outcome !== 'repeated')
      .flatMap(({ email, said }) => {
        const userId = people.get(email)
        return userId === undefined ? [] : said.map(({ reader, answer }) => ({ userId, question: reader.row, answer }))
      }),
    'import',
  )
  await recordAudit(ctx, tx, {
    action: 'users.import',
    detail: {
      imported: fresh.length,
      agreed: fresh.filter(({ line }) => line.agrees).length,
      invited: invite,
      reason: consent,
      ...(answersStored > 0 && { answers: answersStored, basis }),
    },
  })
  return answersStored
}

async function storeContact(
  ctx: Ctx,
  tx: Tx,
  { email, login, language, line }: ContactRow,
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
      marketingConsentAt: line.agrees ? now : null,
      createdAt: now,
    })
    .onConflictDoNothing({ target: [users.siteId, users.email] })
    .returning()
  // Somebody registered with the address a moment ago: the whole import is tried again.
  if (!user) throw new AppError('conflict')
  if (line.agrees) await recordMailConsent(ctx, tx, { siteId: ctx.site.id, user, given: true, language, source: 'import', words: consent })
  if (!invite) return
  const token = await createInvitationToken(ctx, tx, user)
  await queueAccountMail(ctx, tx, user, { kind: 'contact-invitation', token })
}

async function addContactsToGroup(ctx: Ctx, tx: Tx, groupId: string, people: readonly string[]): Promise<void> {
  const inside = withTx(ctx, tx)
  const [group] = await loadGroupsById(inside, [groupId])
  if (!group) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/group' }] })
  await addToGroup(inside, group, people)
}
