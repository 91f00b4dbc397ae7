import { and, asc, eq, sql } from 'drizzle-orm'
import { v5 } from 'uuid'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import { createId } from '#app/lib/uuid.ts'
import { DEFAULT_RULES, type DefaultRule } from '#app/lib/vocabulary/moderation.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moderationRules, moderationRuleVersions } from '#app/server/db/schema/moderation.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { chooseFreeSlug, findLostTranslations, findMissingTranslations, refuseDuplicate } from '#app/server/save-checks.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import type { DecisionRow } from './cases.server.ts'
import type { moderationRuleShape } from './moderation.api.schema.ts'

export type RuleRow = typeof moderationRules.$inferSelect

const translateRule = (code: DefaultRule, part: 'label' | 'explanation') =>
  Object.fromEntries(LANGUAGES.map((language) => [language, getTranslator(language, 'moderation')(`rules.${code}.${part}`)]))

/** The rules of a site that has changed none, with the ids they get when they are stored. */
const buildDefaultRules = (siteId: string): RuleRow[] =>
  DEFAULT_RULES.map((code, position) => ({
    siteId,
    id: v5(`moderation-rules/${code}`, siteId),
    code,
    position,
    label: translateRule(code, 'label'),
    explanation: translateRule(code, 'explanation'),
    version: 1,
    archived: false,
    lockVersion: 1,
    updatedAt: new Date(0),
  }))

/** A site's rules in their order, archived ones last. */
export async function loadSiteRules(siteId: string, tx: Tx): Promise<RuleRow[]> {
  const rows = await tx
    .select()
    .from(moderationRules)
    .where(eq(moderationRules.siteId, siteId))
    .orderBy(asc(moderationRules.archived), asc(moderationRules.position), asc(moderationRules.id))
  return rows.length > 0 ? rows : buildDefaultRules(siteId)
}

/** Stores the default rules of a site that has none, before something refers to them. */
export async function storeDefaultRules(tx: Tx, siteId: string, now: Date): Promise<void> {
  const [known] = await tx.select({ id: moderationRules.id }).from(moderationRules).where(eq(moderationRules.siteId, siteId)).limit(1)
  if (known) return
  const rows = buildDefaultRules(siteId)
  const stored = await tx
    .insert(moderationRules)
    .values(rows.map((row) => ({ ...row, updatedAt: now })))
    .onConflictDoNothing()
    .returning({ id: moderationRules.id })
  if (stored.length === 0) return
  await tx.insert(moderationRuleVersions).values(rows.map((row) => buildVersion(row, now)))
}

const buildVersion = ({ siteId, id, version, label, explanation }: RuleRow, now: Date) => ({
  siteId,
  id: createId(),
  ruleId: id,
  number: version,
  label,
  explanation,
  createdAt: now,
})

/** @throws {AppError} `invalid` if the site has no such rule, or no longer uses it */
export async function requireRule(ctx: Ctx, tx: Tx, code: string | undefined): Promise<RuleRow> {
  if (!code) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/rule' }] })
  await storeDefaultRules(tx, ctx.site.id, ctx.now())
  const [row] = await tx
    .select()
    .from(moderationRules)
    .where(and(eq(moderationRules.siteId, ctx.site.id), eq(moderationRules.code, code), eq(moderationRules.archived, false)))
  if (!row) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/rule' }] })
  return row
}

/**
 * Lets an activity be published only if the site has rules, each explained in every language of the site.
 * @throws {AppError} `moderation-rules-incomplete`
 */
export async function requireCompleteRules({ site }: Ctx, tx: Tx): Promise<void> {
  const rules = (await loadSiteRules(site.id, tx)).filter(({ archived }) => !archived)
  const isComplete =
    rules.length > 0 &&
    rules.every(({ label, explanation }) => findMissingTranslations({ label, explanation }, site.languages).length === 0)
  if (!isComplete) throw new AppError('moderation-rules-incomplete')
}

export const loadRules = (ctx: Ctx, ids: readonly string[]): Promise<RuleRow[]> =>
  ctx.db.read(async (tx) => (await loadSiteRules(ctx.site.id, tx)).filter(({ id }) => ids.includes(id)))

export function listRules(ctx: Ctx, { filter, sort, page }: ListQuery<typeof moderationRuleShape>): Promise<ListResult<RuleRow>> {
  return ctx.db.read(async (tx) => {
    const all = await loadSiteRules(ctx.site.id, tx)
    const found = filter.archived === undefined ? all : all.filter(({ archived }) => archived === filter.archived)
    const rows = sort[0]?.descending ? found.toReversed() : found
    return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
  })
}

/** @returns its id @throws {AppError} `forbidden`, `invalid` */
export async function createRule(ctx: Ctx, input: CreateInput<typeof moderationRuleShape>): Promise<string> {
  requirePermission(ctx, 'moderation.rules')
  const { site } = ctx
  const label = input.labelTranslations
  const explanation = input.explanationTranslations
  requireAllLanguages(ctx, { label, explanation })
  const id = createId()
  await refuseDuplicate('/code', () =>
    ctx.db.tx(async (tx) => {
      const now = ctx.now()
      await storeDefaultRules(tx, site.id, now)
      const rules = await loadSiteRules(site.id, tx)
      const code = await chooseFreeSlug(undefined, label, site.locale, 'rule', (wanted) =>
        Promise.resolve(rules.some((rule) => rule.code === wanted)),
      )
      const row: RuleRow = {
        siteId: site.id,
        id,
        code,
        position: input.position ?? Math.max(-1, ...rules.map(({ position }) => position)) + 1,
        label,
        explanation,
        version: 1,
        archived: false,
        lockVersion: 1,
        updatedAt: now,
      }
      await tx.insert(moderationRules).values(row)
      await tx.insert(moderationRuleVersions).values(buildVersion(row, now))
      await recordAudit(ctx, tx, { action: 'moderation-rules.create', subject: { type: 'moderation-rules', id }, detail: { code } })
    }),
  )
  return id
}

/** New words are a new version: earlier decisions keep theirs. @throws {AppError} `forbidden`, `invalid`, `stale` */
export async function updateRule(
  ctx: Ctx,
  { id }: RuleRow,
  input: UpdateInput<typeof moderationRuleShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'moderation.rules')
  const { site } = ctx
  await ctx.db.tx(async (tx) => {
    const now = ctx.now()
    await storeDefaultRules(tx, site.id, now)
    const ofRule = and(eq(moderationRules.siteId, site.id), eq(moderationRules.id, id))
    const [row] = await tx.select().from(moderationRules).where(ofRule)
    if (!row) throw new AppError('not-found')
    const saved = {
      ...(input.labelTranslations && { label: input.labelTranslations }),
      ...(input.explanationTranslations && { explanation: input.explanationTranslations }),
      ...(input.position !== undefined && { position: input.position }),
      ...(input.archived !== undefined && { archived: input.archived }),
    }
    const after = { ...row, ...saved }
    if (!after.archived) requireAllLanguages(ctx, after, row.archived ? undefined : row)
    await recordSourceChanges(ctx, tx, id, listRuleTexts(row), listRuleTexts(after))
    if (after.archived && !row.archived) await requireAnotherRule(tx, site.id, id)
    const hasNewWords = saved.label !== undefined || saved.explanation !== undefined
    const version = row.version + Number(hasNewWords)
    const changed = await tx
      .update(moderationRules)
      .set({ ...saved, version, lockVersion: sql`${moderationRules.lockVersion} + 1`, updatedAt: now })
      .where(and(ofRule, eq(moderationRules.lockVersion, lockVersion)))
      .returning({ id: moderationRules.id })
    if (changed.length === 0) throw new AppError('stale')
    if (hasNewWords) await tx.insert(moderationRuleVersions).values(buildVersion({ ...after, version }, now))
    await recordAudit(ctx, tx, {
      action: 'moderation-rules.update',
      subject: { type: 'moderation-rules', id },
      changes: listChanges(row, saved),
      detail: { code: row.code },
    })
  })
}

/** The last rule stays: a decision needs one to name. */
async function requireAnotherRule(tx: Tx, siteId: string, id: string): Promise<void> {
  const others = (await loadSiteRules(siteId, tx)).filter((rule) => !rule.archived && rule.id !== id)
  if (others.length === 0) throw new AppError('in-use')
}

type RuleTexts = Pick<RuleRow, 'label' | 'explanation'>

export const listRuleTexts = ({ label, explanation }: RuleTexts): TranslatedText[] => [
  { pointer: '/labelTranslations', text: label, isNeeded: true, max: 80 },
  { pointer: '/explanationTranslations', text: explanation, isNeeded: true, format: 'text', max: 1000 },
]

/** @param before the rule so far, if it is in use */
function requireAllLanguages({ site }: Ctx, rule: RuleTexts, before?: RuleTexts): void {
  const list = ({ label, explanation }: RuleTexts) => ({ labelTranslations: label, explanationTranslations: explanation })
  const faults = before
    ? findLostTranslations(list(before), list(rule), site.languages)
    : findMissingTranslations(list(rule), site.languages)
  if (faults.length > 0) throw new AppError('invalid', { faults })
}

/** What a rule was called when a decision named it. */
export const findRuleLabel = async (tx: Tx, siteId: string, named: Pick<DecisionRow, 'ruleId' | 'ruleVersion'>) =>
  (await findRuleTexts(tx, siteId, named))?.label

/** The same with its explanation. */
export async function findRuleTexts(tx: Tx, siteId: string, { ruleId, ruleVersion }: Pick<DecisionRow, 'ruleId' | 'ruleVersion'>) {
  if (!ruleId || !ruleVersion) return undefined
  const [found] = await tx
    .select({ label: moderationRuleVersions.label, explanation: moderationRuleVersions.explanation })
    .from(moderationRuleVersions)
    .where(
      and(
        eq(moderationRuleVersions.siteId, siteId),
        eq(moderationRuleVersions.ruleId, ruleId),
        eq(moderationRuleVersions.number, ruleVersion),
      ),
    )
  return found
}
