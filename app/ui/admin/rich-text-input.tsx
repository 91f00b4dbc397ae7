import { type ComponentType, useEffect, useRef, useState } from 'react'
import { buildControlProps, buildDescribedBy, type FieldProps, getFieldId, HintAndError } from '../field.tsx'
import type { RichTextEditorProps } from './writing/RichTextEditor.tsx'
import { getDirection } from '#app/lib/added-languages.ts'

interface RichTextInputProps extends FieldProps {
  /** Light markup. */
  value: string
  onChange: (markup: string) => void
  rows?: number
  language?: string
}

/** The editor, once a field has loaded it. */
let loaded: ComponentType<RichTextEditorProps> | undefined

async function loadEditor(): Promise<ComponentType<RichTextEditorProps>> {
  loaded ??= (await import('./writing/RichTextEditor.tsx')).RichTextEditor
  return loaded
}

/** A text in light markup, written in an editor. Until that has loaded, and if it cannot be, the markup itself is written. */
export function RichTextInput({ value, onChange, rows = 8, language, ...field }: RichTextInputProps) {
  const id = getFieldId(field)
  const area = useRef<HTMLTextAreaElement>(null)
  const [Editor, setEditor] = useState<ComponentType<RichTextEditorProps> | undefined>(() => loaded)
  useEffect(() => {
    if (Editor) return undefined
    const abort = new AbortController()
    const showEditor = (ready: ComponentType<RichTextEditorProps>) => {
      if (abort.signal.aborted) return
      const show = () => setEditor(() => ready)
      const once = { once: true, signal: abort.signal }
      // A button that is being pressed must not move away from the pointer: the press would be lost.
      const showOnceReleased = () =>
        document.querySelector(':active') ? document.addEventListener('mouseup', () => setTimeout(show), once) : show()
      // Keeps the cursor where it was.
      if (area.current && document.activeElement === area.current) area.current.addEventListener('blur', showOnceReleased, once)
      else show()
    }
    loadEditor().then(showEditor, () => undefined)
    return () => abort.abort()
  }, [Editor])
  const labelId = `${id}-label`
  return (
    <div className="field" data-invalid={field.error ? true : undefined}>
      <label className="field-label" id={labelId} htmlFor={id}>
        {field.label}
        {field.optional && <span className="field-optional"> {field.optional}</span>}
      </label>
      <HintAndError id={id} hint={Editor ? undefined : field.hint} error={field.error} />
      {Editor ? (
        <Editor
          // Another language is another text, with its own history.
          key={id}
          id={id}
          labelId={labelId}
          describedBy={buildDescribedBy(id, { hint: undefined, error: field.error })}
          isInvalid={Boolean(field.error)}
          isRequired={field.required ?? false}
          value={value}
          onChange={onChange}
          rows={rows}
          language={language}
        />
      ) : (
        <textarea
          {...buildControlProps(field)}
          ref={area}
          className="input"
          rows={rows}
          value={value}
          lang={language}
          dir={getDirection(language)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  )
}
