import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_THEME } from '#app/features/heard/heard.schema.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'

interface TagFormProps {
  id: string
  /** Existing tags of this question, as suggestions. */
  known: readonly string[]
  /** Number of selected answers, and of all answers found. */
  chosen: number
  total: number
  onTag: (tag: string, everything: boolean) => Promise<void>
}

/** Adds a tag to the selected answers, or to everything found. */
export function TagForm({ id, known, chosen, total, onTag }: TagFormProps) {
  const { t } = useTranslation('survey-admin')
  const format = useFormat()
  const [tag, setTag] = useState('')
  const [busy, setBusy] = useState(false)
  const submitTag = async (everything: boolean) => {
    if (!tag.trim()) return
    setBusy(true)
    await onTag(tag.trim(), everything)
    setBusy(false)
  }
  return (
    <form
      className="row tag-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen > 0) void submitTag(false)
      }}
    >
      <label className="field-label" htmlFor={`tag-${id}`}>
        {t('written.tag')}
      </label>
      <input
        id={`tag-${id}`}
        className="input"
        list={`tags-${id}`}
        value={tag}
        maxLength={MAX_THEME.title}
        autoComplete="off"
        onChange={(event) => setTag(event.currentTarget.value)}
      />
      <datalist id={`tags-${id}`}>
        {known.map((each) => (
          <option key={each} value={each} aria-label={each} />
        ))}
      </datalist>
      <Button type="submit" kind="secondary" size="small" disabled={busy || chosen === 0 || !tag.trim()}>
        {t('written.tag-chosen', { count: chosen, number: format.number(chosen) })}
      </Button>
      <Button type="button" kind="secondary" size="small" disabled={busy || !tag.trim()} onClick={() => void submitTag(true)}>
        {t('written.tag-all', { count: total, number: format.number(total) })}
      </Button>
    </form>
  )
}
