import { Fragment } from 'react'
import { Text } from '#app/ui/text.tsx'
import { answerWords } from '../questionnaire/answer-words.ts'
import { fileAddress, filesIn, type SentFile } from '../questionnaire/question-types/files/files.ts'
import { own } from '../questionnaire/question-types/question-type.ts'
import { questionsOf } from '../questionnaire/answers.ts'
import { askedIn, walk } from '../questionnaire/logic.ts'
import { withAnswers } from '../questionnaire/piping.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface AnswerListProps {
  definition: Definition
  answers: Answers
  /** Leaves out the questions without an answer. */
  onlyAnswered?: boolean
  /** The language written answers are in, where it is not the page's. */
  written?: string | undefined
  /** Leads to the files that were sent, for those who may have them. */
  withFiles?: boolean
}

/** Questions that were asked with the answers given to them, in the survey's order. */
export function AnswerList({ definition, answers, onlyAnswered = false, written, withFiles = false }: AnswerListProps) {
  const speaker = useSurveyWords()
  const { t, say } = speaker
  const walked = walk(definition, answers, '')
  const shown = onlyAnswered ? questionsOf(definition) : askedIn(walked)
  const asked = shown.filter((question) => question.type !== 'info').map((question) => withAnswers(question, shown, answers, speaker))
  const answered = asked.map((question) => ({
    question,
    words: answerWords(speaker, question, own(answers, question.id)),
  }))
  return (
    <dl className="definitions answers">
      {answered
        .filter(({ words }) => words.length > 0 || !onlyAnswered)
        .map(({ question, words }) => (
          <div key={question.id}>
            <dt>
              <Text words={say(question.title)} />
            </dt>
            <dd lang={question.type === 'short_text' || question.type === 'long_text' ? written : undefined}>
              {words.length === 0 && <span className="meta">{t('receipt.no-answer')}</span>}
              {withFiles && question.type === 'file' ? (
                <FileLinks files={filesIn(own(answers, question.id))} words={words} />
              ) : (
                <Said words={words} />
              )}
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Said({ words }: { words: readonly string[] }) {
  if (words.length < 2) return words[0] === undefined ? null : <Written text={words[0]} />
  return (
    <ul>
      {words.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  )
}

function FileLinks({ files, words }: { files: readonly SentFile[]; words: readonly string[] }) {
  if (files.length === 0) return null
  return (
    <ul>
      {files.map(({ id }, index) => (
        <li key={id}>
          <a href={fileAddress(id)} download>
            {words[index]}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Somebody's own lines, as they broke them. */
export function Written({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ))
}
