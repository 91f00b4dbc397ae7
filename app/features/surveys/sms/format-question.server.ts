import type { Formatter } from '#app/lib/format.ts'
import { getFormatter } from '#app/lib/format.ts'
import type { Language } from '#app/lib/languages.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { listOfferedOptions, findOtherOption } from '../questionnaire/question-types/choices/options.ts'
import { getScaleEnds } from '../questionnaire/question-types/scales/scales.ts'
import { getMostCharacters } from '../questionnaire/question-types/text/text.ts'
import { listQuestions } from '../questionnaire/answers.ts'
import { insertPipedAnswers } from '../questionnaire/piped-answers.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import type { SurveyWords } from '../questionnaire/use-survey-words.ts'
import type { TextQuestion } from './by-text.server.ts'

/** Length limits above this are not worth mentioning in a text message. */
const MAX_MENTIONED_LENGTH = 500

/** A question as one text message: title, choices, and how to answer. */
export function formatQuestion(ctx: Ctx, language: Language, question: TextQuestion, definition: Definition, answers: Answers): string {
  const speaker = createSpeaker(ctx, language)
  const shown = insertPipedAnswers(question, listQuestions(definition), answers, speaker)
  return [speaker.say(shown.title).text, formatInstructions(ctx, language, shown)].filter(Boolean).join('\n')
}

/** How to answer: sent after the question, and again after a mistake. */
export function formatInstructions(ctx: Ctx, language: Language, question: TextQuestion): string {
  const t = getTranslator(language, 'sms')
  const speaker = createSpeaker(ctx, language)
  const skip = question.required ? [] : [t('ask.skip')]
  return [...listInstructions(speaker, question), ...skip].join('\n')
}

function listInstructions({ format, language, say }: SurveyWords, question: TextQuestion): string[] {
  const t = getTranslator(language, 'sms')
  switch (question.type) {
    case 'yes_no':
      return [t('ask.yes-no')]
    case 'rating':
    case 'scale':
    case 'nps': {
      const { min, max, low, high } = getScaleEnds(question)
      const ends = low && high ? [`${min} = ${say(low).text}, ${max} = ${say(high).text}.`] : []
      return [...ends, t('ask.between', { min, max })]
    }
    case 'number':
    case 'slider':
      return [formatNumberInstruction(t, format, question)]
    case 'short_text': {
      const longest = getMostCharacters(question)
      const hint = say(question.patternHelp).text
      return [hint || (longest <= MAX_MENTIONED_LENGTH ? t('ask.write-short', { count: longest }) : t('ask.write'))]
    }
    default: {
      const options = listOfferedOptions(question)
      const other = findOtherOption(question)
      const lines = options.map((option, index) => `${index + 1} ${say(option.label).text}`)
      const how = t('ask.between', { min: 1, max: options.length })
      return [...lines, other ? `${how} ${t('ask.other', { number: options.indexOf(other) + 1 })}` : how]
    }
  }
}

function formatNumberInstruction(
  t: ReturnType<typeof getSmsTranslator>,
  format: Formatter,
  { min, max }: { min?: number | undefined; max?: number | undefined },
) {
  if (min !== undefined && max !== undefined) return t('ask.between', { min: format.number(min), max: format.number(max) })
  if (min !== undefined) return t('ask.at-least', { min: format.number(min) })
  return max === undefined ? t('ask.number') : t('ask.at-most', { max: format.number(max) })
}
const getSmsTranslator = (language: Language) => getTranslator(language, 'sms')

function createSpeaker({ site }: Ctx, language: Language): SurveyWords {
  return {
    t: getTranslator(language, 'survey'),
    language,
    format: getFormatter({ language, timeZone: site.timeZone, region: site.region }),
    say: (text) => localiseText(text, language, site.locale),
  }
}
