import { and, eq } from 'drizzle-orm'
import { loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { loadEligibilityLists } from '#app/features/verifications/eligibility-lists.server.ts'
import { NEW_SURVEY_ACCESS } from '#app/lib/vocabulary/surveys.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { listKeywordFaults } from '../sms/keywords.server.ts'
import type { ImportedElement } from './import.schema.ts'
import type { ImportedSettings } from './survey-draft-builder.ts'

type Notes = ImportedElement['notes']

/** The settings of a file as far as they fit this site: an address or a word may be taken, a group or a list may not exist. */
export async function fitSettings(
  ctx: Ctx,
  projectId: string,
  { slug, groupId, verification, smsKeywords, ...others }: ImportedSettings,
): Promise<{ settings: ImportedSettings; notes: Notes }> {
  const notes: Notes = []
  const settings: ImportedSettings = { ...others }
  const leaveOut = (what: string) => notes.push({ code: 'setting-left-out', what })
  if (slug !== undefined) {
    if (await isSlugTaken(ctx, projectId, slug)) leaveOut(`slug: ${slug}`)
    else settings.slug = slug
  }
  if (groupId) {
    if ((await loadGroupsById(ctx, [groupId])).length > 0) settings.groupId = groupId
    else leaveOut(`groupId: ${groupId}`)
  }
  if (verification) {
    const { list } = verification
    const isKnown = list === null || (await loadEligibilityLists(ctx, [list])).length > 0
    settings.verification = isKnown ? verification : { ...verification, list: null }
    if (!isKnown) leaveOut(`verification.list: ${list}`)
  }
  const words = Object.values(smsKeywords ?? {})
  if (smsKeywords && words.length > 0) {
    const survey = { id: createId(), access: others.access ?? NEW_SURVEY_ACCESS, publishedVersion: null }
    const faults = await ctx.db.read((tx) => listKeywordFaults(ctx, tx, survey, smsKeywords))
    if (faults.length === 0) settings.smsKeywords = smsKeywords
    else leaveOut(`smsKeywords: ${words.join(', ')}`)
  }
  return { settings, notes }
}

async function isSlugTaken(ctx: Ctx, projectId: string, slug: string): Promise<boolean> {
  const found = await ctx.db.read((tx) =>
    tx
      .select({ id: surveys.id })
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.projectId, projectId), eq(surveys.slug, slug)))
      .limit(1),
  )
  return found.length > 0
}
