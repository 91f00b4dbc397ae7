import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { translateText } from './translate-text.server.ts'
import { correctTranslation, listTranslations, loadTranslations } from './translation-records.server.ts'
import { contributionTranslationShape } from './translations.api.schema.ts'

export const contributionTranslationResource = implementResource(contributionTranslationShape, {
  load: loadTranslations,
  list: listTranslations,
  can: ({ viewer }, { project }) => ({ update: checkPermission(viewer, 'contributions.answer', toPermissionTarget(project)).ok }),
  lockVersion: ({ translation }) => translation.lockVersion,
  attributes: ({ translation: row, source }) => ({
    sourceType: row.sourceType,
    sourceId: row.sourceId,
    language: row.language,
    sourceLanguage: row.sourceLanguage,
    source: source.texts,
    texts: row.texts ?? {},
    service: row.service,
    translatedAt: row.createdAt,
    correctedAt: row.correctedAt,
    team: row.team,
  }),
  relationships: { contribution: { id: ({ contribution }) => contribution.id, alwaysVisible: true } },
  creators: 'anyone',
  create: (ctx, { sourceType, sourceId, language }) => translateText(ctx, { type: sourceType, id: sourceId, language }),
  update: (ctx, row, input, lock) => correctTranslation(ctx, row, input, lock.version),
})
