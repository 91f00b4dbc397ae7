import { Fragment } from 'react'
import { getDirection } from '#app/lib/added-languages.ts'
import { Text } from '#app/ui/text.tsx'
import { formatAnswer } from '../questionnaire/format-answer.ts'
import { buildFileAddress, listAnswerFiles, type SentFile } from '../questionnaire/question-types/files/files.ts'
import { getOwn } from '../questionnaire/question-types/question-type.ts'
import { listQuestions } from '../questionnaire/answers.ts'
import { listAskedQuestions, walkSurvey } from '../questionnaire/walk-survey.ts'
import { insertPipedAnswers } from '../questionnaire/piped-answers.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface AnswerListProps {
  definition: Definition
  answers: Answers
  /** Omits questions without an answer. */
  onlyAnswered?: boolean
  /** The language of the written answers, if it differs from the page's. */
  written?: string | undefined
  /** Links to uploaded files, for people who may have them. */
  withFiles?: boolean
}

/** The questions that were asked with their answers, in the survey's order. */
export function AnswerList({ definition, answers, onlyAnswered = false, written, withFiles = false }: AnswerListProps) {
  const speaker = useSurveyWords()
  const { t, say } = speaker
  const walked = walkSurvey(definition, answers, '')
  const shown = onlyAnswered ? listQuestions(definition) : listAskedQuestions(walked)
  const asked = shown
    .filter((question) => question.type !== 'info')
    .map((question) => insertPipedAnswers(question, shown, answers, speaker))
  const answered = asked.map((question) => ({
    question,
    words: formatAnswer(speaker, question, getOwn(answers, question.id)),
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
            <dd
              lang={question.type === 'short_text' || question.type === 'long_text' ? written : undefined}
              dir={getDirection(question.type === 'short_text' || question.type === 'long_text' ? written : undefined)}
            >
              {words.length === 0 && <span className="meta">{t('receipt.no-answer')}</span>}
              {withFiles && question.type === 'file' ? (
                <FileLinks files={listAnswerFiles(getOwn(answers, question.id))} words={words} />
              ) : (
                <AnswerWords words={words} />
              )}
            </dd>
          </div>
        ))}
    </dl>
  )
}

function AnswerWords({ words }: { words: readonly string[] }) {
  if (words.length < 2) return words[0] === undefined ? null : <WrittenText text={words[0]} />
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
          <a href={buildFileAddress(id)} download>
            {words[index]}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Text with the writer's line breaks. */
export function WrittenText({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ))
}
