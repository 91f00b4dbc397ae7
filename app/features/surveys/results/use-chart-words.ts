import { type NotShown, useNotShown } from '#app/shell/use-not-shown.ts'
import { type SurveyWords, useSurveyWords } from '../questionnaire/use-survey-words.ts'

export type ChartWords = SurveyWords & NotShown

/** Texts, language and formats for figures, some of which are hidden. */
export const useChartWords = (): ChartWords => ({ ...useSurveyWords(), ...useNotShown() })
