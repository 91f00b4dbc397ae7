import { useTranslation } from 'react-i18next'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import type { QuestionEditor } from './question-editor.ts'
import { WordsField } from './WordsField.tsx'

export const info: QuestionEditor<'info'> = {
  blank: () => ({}),
  silent: true,
  Form: function InfoForm({ question, change, language, messageOf }) {
    const { t } = useTranslation('survey-admin')
    const { picture, video } = question
    return (
      <>
        <WordsField
          name="text"
          label={t('question.text')}
          values={question.text ?? {}}
          language={language}
          onChange={(text, key) => change({ text }, key)}
          messageOf={messageOf}
          rows={5}
        />
        <TextInput
          name="picture.url"
          label={t('question.picture')}
          hint={t('question.picture-hint')}
          value={picture?.url ?? ''}
          onChange={(url) => change({ picture: url ? { alt: {}, ...picture, url } : undefined }, 'picture')}
          error={messageOf('picture.url')}
        />
        {picture && (
          <WordsField
            name="picture.alt"
            label={t('question.alt')}
            values={picture.alt}
            language={language}
            onChange={(alt, key) => change({ picture: { ...picture, alt } }, key)}
            messageOf={messageOf}
          />
        )}
        <TextInput
          name="video.url"
          label={t('question.video')}
          value={video?.url ?? ''}
          onChange={(url) => change({ video: url ? { label: {}, ...video, url } : undefined }, 'video')}
          error={messageOf('video.url')}
        />
        {video && (
          <WordsField
            name="video.label"
            label={t('question.video-label')}
            values={video.label}
            language={language}
            onChange={(label, key) => change({ video: { ...video, label } }, key)}
            messageOf={messageOf}
          />
        )}
      </>
    )
  },
}
