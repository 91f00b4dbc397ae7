import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { consultationDutyShape } from './consultation-duties.api.schema.ts'
import { listDuties, loadDuties, updateDuties } from './duties.server.ts'

export const consultationDutyResource = implementResource(consultationDutyShape, {
  load: loadDuties,
  list: listDuties,
  can: ({ viewer }, { project }) => ({ update: checkPermission(viewer, 'projects.edit', toPermissionTarget(project)).ok }),
  lockVersion: ({ row }) => row.lockVersion,
  attributes: ({ row, facts, checks, holidays, questions, plainFindings, waivers }, { site }) => ({
    openToChange: row.openToChange,
    notOpen: row.notOpen,
    reasons: row.reasons,
    equality: row.equality,
    welshEffects: row.welshEffects,
    effectsQuestion: row.effectsQuestion,
    improvementsQuestion: row.improvementsQuestion,
    questions,
    checks,
    minimumDays: site.dutyDays,
    daysOpen: facts.daysOpen,
    holidays: holidays.map(({ day, name }) => ({ day, name: name ?? null })),
    documents: facts.documents,
    decisions: facts.decisions,
    texts: facts.texts,
    textsRead: facts.textsRead,
    plainFindings,
    waivers: waivers.map(({ act, missing, reason, createdAt }) => ({ act, missing, reason, at: createdAt.toISOString() })),
  }),
  relationships: { project: { id: ({ id }) => id } },
  update: (ctx, row, input, lock) => updateDuties(ctx, row, input, lock.version),
})
