import type { Formatter } from '#app/lib/format.ts'
import { formatter } from '#app/lib/format.ts'
import type { Language } from '#app/lib/languages.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { translator } from '#app/server/i18n.ts'
import { offered, otherOf } from '../questionnaire/question-types/choices/options.ts'
import { endsOf } from '../questionnaire/question-types/scales/scales.ts'
import { longestOf } from '../questionnaire/question-types/text/text.ts'
import { questionsOf } from '../questionnaire/answers.ts'
import { withAnswers } from '../questionnaire/piping.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import type { SurveyWords } from '../questionnaire/use-survey-words.ts'
import type { TextQuestion } from './by-text.server.ts'

/** Beyond so many characters a limit is not worth a mention in a text. */
const MENTIONED = 500

/** A question as one text asks it: its words, what can be chosen, and how to answer. */
export function questionText(ctx: Ctx, language: Language, question: TextQuestion, definition: Definition, answers: Answers): string {
  const speaker = speakerOf(ctx, language)
  const shown = withAnswers(question, questionsOf(definition), answers, speaker)
  return [speaker.say(shown.title).text, howToAnswer(ctx, language, shown)].filter(Boolean).join('\n')
}

/** What may be answered: after the question, and again after a mistake. */
export function howToAnswer(ctx: Ctx, language: Language, question: TextQuestion): string {
  const t = translator(language, 'sms')
  const speaker = speakerOf(ctx, language)
  const skip = question.required ? [] : [t('ask.skip')]
  return [...wayOf(speaker, question), ...skip].join('\n')
}

function wayOf({ format, language, say }: SurveyWords, question: TextQuestion): string[] {
  const t = translator(language, 'sms')
  switch (question.type) {
    case 'yes_no':
      return [t('ask.yes-no')]
    case 'rating':
    case 'scale':
    case 'nps': {
      const { min, max, low, high } = endsOf(question)
      const ends = low && high ? [`${min} = ${say(low).text}, ${max} = ${say(high).text}.`] : []
      return [...ends, t('ask.between', { min, max })]
    }
    case 'number':
    case 'slider':
      return [numberWay(t, format, question)]
    case 'short_text': {
      const longest = longestOf(question)
      const hint = say(question.patternHelp).text
      return [hint || (longest <= MENTIONED ? t('ask.write-short', { count: longest }) : t('ask.write'))]
    }
    default: {
      const options = offered(question)
      const other = otherOf(question)
      const lines = options.map((option, index) => `${index + 1} ${say(option.label).text}`)
      const how = t('ask.between', { min: 1, max: options.length })
      return [...lines, other ? `${how} ${t('ask.other', { number: options.indexOf(other) + 1 })}` : how]
    }
  }
}

function numberWay(
  t: ReturnType<typeof textWords>,
  format: Formatter,
  { min, max }: { min?: number | undefined; max?: number | undefined },
) {
  if (min !== undefined && max !== undefined) return t('ask.between', { min: format.number(min), max: format.number(max) })
  if (min !== undefined) return t('ask.at-least', { min: format.number(min) })
  return max === undefined ? t('ask.number') : t('ask.at-most', { max: format.number(max) })
}
const textWords = (language: Language) => translator(language, 'sms')

function speakerOf({ site }: Ctx, language: Language): SurveyWords {
  return {
    t: translator(language, 'survey'),
    language,
    format: formatter({ language, timeZone: site.timeZone, region: site.region }),
    say: (text) => localiseText(text, language, site.locale),
  }
}
