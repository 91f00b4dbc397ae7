import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { buildFieldName } from '../../field-names.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import type { QuestionProps } from '../question-field.tsx'

export function InfoBlock({ question, heading = 2 }: QuestionProps<QuestionOf<'info'>>) {
  const { say } = useSurveyWords()
  const text = say(question.text)
  const help = say(question.help)
  const { picture, video } = question
  const Heading = heading === 1 ? 'h1' : 'h3'
  return (
    <div className="survey-info" id={buildFieldName(question.id)}>
      <Heading className="field-label field-label-large">
        <Text words={say(question.title)} />
      </Heading>
      {help.text && (
        <p className="field-hint">
          <Text words={help} />
        </p>
      )}
      {picture && <img src={picture.url} alt={say(picture.alt).text} loading="lazy" />}
      {text.text && <RichText text={text.text} level={3} lang={text.lang} />}
      {video && (
        <p>
          <a href={video.url} rel="noopener">
            <Text words={say(video.label)} />
          </a>
        </p>
      )}
    </div>
  )
}
