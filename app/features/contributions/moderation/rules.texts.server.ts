import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import type { moderationRuleShape } from './moderation.api.schema.ts'
import { listRuleTexts, loadSiteRules, updateRule } from './rules.server.ts'

/** The site's rules, for the language desk, without those that are no longer used. */
export const loadRuleSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  if (!checkPermission(ctx.viewer, 'moderation.rules').ok) return []
  const rows = await loadSiteRules(ctx.site.id, tx)
  return rows
    .filter((row) => !row.archived && (id === undefined || row.id === id))
    .map((row) => ({
      id: row.id,
      title: row.label,
      project: null,
      isPublic: true,
      editor: '/admin/moderation/rules',
      content: { labelTranslations: row.label, explanationTranslations: row.explanation },
      texts: listRuleTexts(row),
      save: (content: unknown) => updateRule(ctx, row, content as UpdateInput<typeof moderationRuleShape>, row.lockVersion),
    }))
}
