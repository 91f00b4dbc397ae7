import type { Words } from '#app/lib/words.ts'
import { line, reference, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface SurveyTeaserData {
  survey: { slug: string; project: string; title: Words; intro: Words; minutes: number | null; isOpen: boolean } | null
}

/** One survey to answer. Its own title and introduction stand in where the block has no words. */
export const surveyTeaser = defineBlock(
  'survey_teaser',
  { title: line(), text: text(), surveyId: reference('survey') },
  {
    isEmpty: (_, { survey }: SurveyTeaserData) => survey === null,
  },
)
