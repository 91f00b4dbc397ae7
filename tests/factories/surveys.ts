import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { HeldRole } from '#app/server/auth/viewer.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { highestRole } from '#app/lib/roles.ts'

type ProjectValues = Partial<typeof projects.$inferInsert>
type SurveyValues = Partial<Omit<typeof surveys.$inferInsert, 'definition'>> & { definition?: Definition }

/** One question that is answered in place, in all three languages. */
export const POLL: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        {
          id: 'night',
          type: 'one_choice',
          required: true,
          title: inAllLanguages('Which night?'),
          options: [
            { id: 'thursday', label: inAllLanguages('Thursday') },
            { id: 'friday', label: inAllLanguages('Friday') },
          ],
        },
      ],
    },
  ],
}

/** A question of each type, in all three languages. */
export const EVERY_TYPE: Definition = {
  schema: 1,
  pages: [
    {
      id: 'page1',
      title: inAllLanguages('Your street'),
      questions: [
        { id: 'name', type: 'short_text', title: inAllLanguages('Which street?'), required: true, maxLength: 40 },
        { id: 'ideas', type: 'long_text', title: inAllLanguages('Your ideas'), maxLength: 2000 },
        {
          id: 'mode',
          type: 'one_choice',
          title: inAllLanguages('How do you travel?'),
          options: [
            { id: 'bus', label: inAllLanguages('By bus') },
            { id: 'foot', label: inAllLanguages('On foot') },
            { id: 'other', label: inAllLanguages('Another way'), other: true },
          ],
        },
      ],
    },
    {
      id: 'page2',
      questions: [
        {
          id: 'want',
          type: 'several_choices',
          title: inAllLanguages('What should come?'),
          maxChoices: 2,
          options: [
            { id: 'trees', label: inAllLanguages('Trees') },
            { id: 'seats', label: inAllLanguages('Seats') },
            { id: 'shade', label: inAllLanguages('Shade') },
            { id: 'none', label: inAllLanguages('None of these'), exclusive: true },
          ],
        },
        {
          id: 'safe',
          type: 'rating',
          title: inAllLanguages('How safe?'),
          scale: { max: 5, low: inAllLanguages('Not at all'), high: inAllLanguages('Very') },
        },
      ],
    },
  ],
}

export function inAllLanguages(text: string) {
  return { en: text, 'fr-CA': `${text} (fr)`, cy: `${text} (cy)` }
}

export async function addProject(runtime: Runtime, site: Site, values: ProjectValues = {}) {
  const id = values.id ?? createId()
  const row = {
    slug: `project-${id}`,
    title: inAllLanguages('A faster bus'),
    status: 'published' as const,
    publishedAt: new Date('2026-01-01T00:00:00Z'),
    ...buildSearchFields(values.title ?? inAllLanguages('A faster bus')),
    ...values,
    siteId: site.id,
    id,
  }
  await runtime.database.site(site.id).tx((tx) => tx.insert(projects).values(row))
  return row
}

/** A published, open survey in a new project, unless the values say otherwise. */
export async function addSurvey(runtime: Runtime, site: Site, { definition = EVERY_TYPE, ...values }: SurveyValues = {}) {
  const project = values.projectId ? undefined : await addProject(runtime, site)
  const id = values.id ?? createId()
  const status = values.status ?? 'published'
  const row = {
    projectId: project?.id ?? '',
    slug: `survey-${id}`,
    title: inAllLanguages('Fern Street'),
    publishedVersion: status === 'draft' ? null : 1,
    access: 'anyone' as const,
    ...values,
    status,
    definition,
    siteId: site.id,
    id,
  }
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(surveys).values(row)
    if (status !== 'draft') await tx.insert(surveyVersions).values({ siteId: site.id, surveyId: id, number: 1, definition })
  })
  return { ...row, projectSlug: project?.slug ?? '' }
}

export async function addPerson(
  runtime: Runtime,
  site: Site,
  options: { confirmed?: boolean; roles?: Partial<HeldRole>[]; memberOf?: string; login?: string } = {},
): Promise<SignedInViewer> {
  const id = createId()
  const roles = (options.roles ?? []).map((role) => ({
    role: role.role ?? ('project_admin' as const),
    hubId: role.hubId ?? null,
    projectId: role.projectId ?? null,
    mayExportPersonalData: role.mayExportPersonalData ?? false,
  }))
  const person = { email: `${id}@example.org`, login: options.login ?? 'Ana' }
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(users).values({ siteId: site.id, id, ...person, emailConfirmedAt: options.confirmed === false ? null : new Date(0) })
    if (options.memberOf) await tx.insert(projectMembers).values({ siteId: site.id, projectId: options.memberOf, userId: id })
  })
  return {
    kind: 'user',
    id,
    siteId: site.id,
    sessionId: createId(),
    confirmedAt: runtime.now(),
    ...person,
    type: roles.length ? 'administrator' : 'participant',
    confirmed: options.confirmed !== false,
    lastSeenAt: null,
    roles,
    roleName: highestRole(roles.map((role) => role.role)) ?? 'participant',
    supportGranted: false,
  }
}
