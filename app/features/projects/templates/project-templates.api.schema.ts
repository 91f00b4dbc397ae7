import * as v from 'valibot'
import { attribute, resourceShape, translated } from '#app/lib/api-client/resource-shape.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { PROJECT_TEMPLATES } from '#app/lib/vocabulary/projects.ts'

const titles = attribute(v.array(v.string()))

export const projectTemplateShape = resourceShape({
  type: 'project-templates',
  summary: 'Consultations to start a project from, and what each makes',
  operations: ['list', 'get'],
  id: v.picklist(PROJECT_TEMPLATES),
  attributes: {
    title: translated({ max: 200 }),
    /** Its title in every language, for a project that keeps it. */
    titles: attribute(createTranslatedSchema(200)),
    /** What it is for, in one sentence. */
    text: translated({ max: 300 }),
    /** Titles of what it makes, in the language of the request. */
    stages: titles,
    activities: titles,
    surveys: titles,
    /** Votes on money. */
    rounds: titles,
    questions: attribute(v.number()),
    faqs: attribute(v.number()),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'project-templates': typeof projectTemplateShape
  }
}
