import { eq, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { type AddedLanguage, MAX_ADDED_LANGUAGES } from '#app/lib/added-languages.ts'
import { CONTENT_LANGUAGES, isInterfaceLanguage, LANGUAGE_NAMES, LANGUAGES, listContentLanguages } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { isTooWide, parseNetwork } from '#app/server/limits/shared-networks.ts'
import type { TranslationGap } from './site-settings.schema.ts'
import type { siteShape } from './sites.api.schema.ts'
import type { SiteRecord } from './sites.list.server.ts'

/**
 * Changes the site's own settings. A language that is removed keeps its texts: they are shown again once it is added again.
 * @throws {AppError} `forbidden`; `invalid` with `not-a-choice` if the main language is not one of the site's; those of `readNetworks`, `readAddedLanguages` and `readSecondStepRule`
 */
export async function updateSite(ctx: Ctx, row: SiteRecord, input: UpdateInput<typeof siteShape>): Promise<void> {
  requirePermission(ctx, 'site.edit')
  if (row.id !== ctx.site.id) throw new AppError('forbidden')
  const locale = input.locale ?? row.locale
  const chosen = input.languages ?? row.languages
  if (!chosen.includes(locale)) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/locale' }] })
  const saved: Partial<SiteRecord> = {
    ...(input.name && { name: input.name }),
    ...(input.region && { region: input.region }),
    ...(input.timeZone && { timeZone: input.timeZone }),
    ...(input.holidays && { holidays: input.holidays }),
    ...(input.duties && { duties: input.duties }),
    ...(input.dutyDays !== undefined && { dutyDays: input.dutyDays }),
    ...(input.taglineTranslations && { tagline: input.taglineTranslations }),
    ...(input.contactEmail !== undefined && { contactEmail: input.contactEmail }),
    ...(input.sharedNetworks && { sharedNetworks: readNetworks(input.sharedNetworks) }),
    ...(input.addedLanguages && { addedLanguages: readAddedLanguages(input.addedLanguages) }),
    ...readSecondStepRule(ctx, row, input.requiresSecondStep),
    locale,
    languages: [locale, ...LANGUAGES.filter((language) => language !== locale && chosen.includes(language))],
  }
  await ctx.db.tx(async (tx) => {
    await tx.update(sites).set(saved).where(eq(sites.id, row.id))
    await recordAudit(ctx, tx, { action: 'sites.update', subject: { type: 'sites', id: row.id }, changes: listChanges(row, saved) })
  })
  ctx.runtime.sites.refresh()
}

/** @throws {AppError} `invalid` with `not-a-language`, `interface-language` or `too-many-languages`, naming the first that is wrong */
function readAddedLanguages(given: readonly string[]): AddedLanguage[] {
  const refuse = (code: ErrorCode, values: Fault['values']) =>
    new AppError('invalid', { faults: [{ code, pointer: '/addedLanguages', values }] })
  const found = given.map((tag) => {
    const language = CONTENT_LANGUAGES.find((known) => known.toLowerCase() === tag.trim().toLowerCase())
    if (!language) throw refuse('not-a-language', { language: tag })
    if (isInterfaceLanguage(language)) throw refuse('interface-language', { language: LANGUAGE_NAMES[language] })
    return language
  })
  const languages = [...new Set(found)]
  if (languages.length > MAX_ADDED_LANGUAGES) throw refuse('too-many-languages', { max: MAX_ADDED_LANGUAGES })
  return languages
}

/** @throws {AppError} `invalid` with `not-a-network` or `network-too-wide`, naming the first that is wrong */
function readNetworks(given: readonly string[]): string[] {
  for (const text of given) {
    const network = parseNetwork(text)
    const code = !network ? 'not-a-network' : isTooWide(network) ? 'network-too-wide' : undefined
    if (code) throw new AppError('invalid', { faults: [{ code, pointer: '/sharedNetworks', values: { network: text } }] })
  }
  return [...new Set(given)]
}

/**
 * An administrator needs a second step of their own before requiring it, so that they keep access and can help others.
 * @throws {AppError} `fresh-sign-in-required`; `invalid` with `own-second-step-missing`
 */
function readSecondStepRule(
  ctx: Ctx,
  row: SiteRecord,
  isRequired: boolean | undefined,
): Pick<Partial<SiteRecord>, 'secondStepRequiredSince'> {
  if (isRequired === undefined || isRequired === (row.secondStepRequiredSince !== null)) return {}
  requirePermission(ctx, 'second-steps.require')
  if (!isRequired) return { secondStepRequiredSince: null }
  if (ctx.viewer.kind !== 'user' || !ctx.viewer.hasSecondStep)
    throw new AppError('invalid', { faults: [{ code: 'own-second-step-missing', pointer: '/requiresSecondStep' }] })
  return { secondStepRequiredSince: ctx.now() }
}

/** What has no title in a language of the site. One statement. @throws {AppError} `forbidden` */
export async function countTranslationGaps(ctx: Ctx): Promise<TranslationGap[]> {
  requirePermission(ctx, 'site.edit')
  const { db, site } = ctx
  const languages = sql.join(
    listContentLanguages(site).map((language) => sql`${language}`),
    sql`, `,
  )
  const { rows } = await db.read((tx) =>
    tx.execute<TranslationGap & Record<string, unknown>>(sql`
      select t.kind, l.language, count(*)::int as missing
      from (
        select 'projects' as kind, title from ${projects} where site_id = ${site.id} and status <> 'archived'
        union all select 'surveys', title from ${surveys} where site_id = ${site.id} and status <> 'archived'
        union all select 'activities', title from ${activities} where site_id = ${site.id} and status <> 'archived'
        union all select 'hubs', title from ${hubs} where site_id = ${site.id}
        union all select 'topics', title from ${topics} where site_id = ${site.id}
        union all select 'pages', title from ${pages} where site_id = ${site.id}
      ) t cross join unnest(array[${languages}]::text[]) with ordinality l(language, position)
      where btrim(coalesce(t.title ->> l.language, '')) = ''
      group by t.kind, l.language, l.position
      order by l.position, t.kind`),
  )
  return rows.map(({ kind, language, missing }) => ({ kind, language, missing }))
}
