import type { SurveyTemplate } from '#app/features/surveys/templates/template-parts.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { StageKind } from '#app/lib/vocabulary/contributions.ts'
import type { ProjectTemplate as ProjectTemplateId } from '#app/lib/vocabulary/projects.ts'

/** A ready-made consultation to start from, in every language. All that it makes are drafts. */
export interface ProjectTemplate {
  id: ProjectTemplateId
  title: Translated
  /** What it is for, in one sentence. */
  text: Translated
  summary: Translated
  body: Translated
  stages: readonly TemplateStage[]
  activities: readonly TemplateActivity[]
  surveys: readonly SurveyTemplate[]
  rounds: readonly TemplateRound[]
  faqs: readonly { question: Translated; answer: Translated }[]
}

export interface TemplateStage {
  id: string
  kind: StageKind
  title: Translated
  summary: Translated
  /** Counted from the beginning of the project. */
  weeks: readonly [from: number, to: number]
}

export interface TemplateActivity {
  kind: 'ideas' | 'questions' | 'stories'
  /** Id of the stage in which it takes place. */
  stage: string
  title: Translated
  intro: Translated
  categories: readonly { id: string; title: Translated }[]
}

/** A vote on money. Its options are added when their costs are known. */
export interface TemplateRound {
  title: Translated
  intro: Translated
  /** Amounts in minor units. */
  pots: readonly { title: Translated; amount: number }[]
}

/** Categories from ids and names in the three languages. */
export const createCategories = (...lines: (readonly [id: string, en: string, fr: string, cy: string])[]) =>
  lines.map(([id, en, fr, cy]) => ({ id, title: { en, 'fr-CA': fr, cy } }))
