import type { LocalisedText } from '#app/lib/localised-text.ts'
import { line, reference, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface SurveyTeaserData {
  survey: { slug: string; project: string; title: LocalisedText; intro: LocalisedText; minutes: number | null; isOpen: boolean } | null
}

/** One survey to answer. Title and text default to the survey's own title and introduction. */
export const surveyTeaser = defineBlock(
  'survey_teaser',
  { title: line(), text: text(), surveyId: reference('survey') },
  {
    isEmpty: (_, { survey }: SurveyTeaserData) => survey === null,
  },
)
