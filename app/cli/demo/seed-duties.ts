import { createId } from '#app/lib/uuid.ts'
import { consultationDuties, dutyWaivers } from '#app/server/db/schema/duties.ts'
import { type DemoDuties, DYFFRYN_DUTIES } from './content/dyffryn/dyletswyddau.ts'
import type { PlacedContent, SeedContext } from './seed-context.ts'

const BY_SITE: Partial<Record<string, readonly DemoDuties[]>> = { dyffryn: DYFFRYN_DUTIES }

/** One project that meets every duty, and one that was published with something missing. */
export async function seedDuties({ tx, siteId, content, calendar }: SeedContext, placed: PlacedContent): Promise<void> {
  for (const duties of BY_SITE[content.slug] ?? []) {
    const project = placed.projects.find((one) => one.project.slug === duties.project)
    const survey = project?.surveys.find((one) => one.survey.slug === duties.survey)
    if (!project || !survey) continue
    const { openToChange, notOpen, reasons, equality, welshEffects, effectsQuestion, improvementsQuestion, waiver } = duties
    const toQuestion = (question: string | undefined) => (question === undefined ? null : { survey: survey.id, question })
    await tx.insert(consultationDuties).values({
      siteId,
      projectId: project.id,
      openToChange,
      notOpen,
      reasons,
      equality,
      welshEffects,
      effectsQuestion: toQuestion(effectsQuestion),
      improvementsQuestion: toQuestion(improvementsQuestion),
      updatedAt: calendar.at((project.project.opens ?? 0) - 3, 11),
    })
    if (waiver)
      await tx.insert(dutyWaivers).values({
        siteId,
        id: createId(),
        projectId: project.id,
        act: 'project',
        missing: waiver.missing,
        reason: waiver.reason,
        createdAt: calendar.at(waiver.day, 9),
      })
  }
}
