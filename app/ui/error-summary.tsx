import type { MouseEvent } from 'react'
import { useFocusWhenShown } from './use-focus-when-shown.ts'

interface ErrorSummaryProps {
  title: string
  /** In field order. `id` is the field's; without it the error concerns the whole form. */
  errors: readonly { id?: string; message: string }[]
}

/**
 * The errors of a form, shown above it. It takes focus when it appears, and each error links to its field. A page that shows one also
 * starts its title with "Error: …". Change its `key` with each attempt so that it takes focus again.
 */
export function ErrorSummary({ title, errors }: ErrorSummaryProps) {
  const messages = errors.map(({ message }) => message).join('\n')
  const summary = useFocusWhenShown(messages)
  if (errors.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- without scripts, the browser itself moves focus here
    <div className="error-summary" key={messages} ref={summary} tabIndex={-1} autoFocus>
      <div role="alert">
        <h2>{title}</h2>
        <ul>
          {errors.map(({ id, message }) => (
            <li key={`${id ?? ''} ${message}`}>
              {id ? (
                <a href={`#${id}`} onClick={(event) => focusField(event, id)}>
                  {message}
                </a>
              ) : (
                message
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The link alone would only scroll to the field; this focuses it for typing. */
function focusField(event: MouseEvent, id: string): void {
  const field = document.getElementById(id)
  if (!field) return
  event.preventDefault()
  ;(field.closest('.field') ?? field).scrollIntoView({ block: 'start' })
  field.focus({ preventScroll: true })
}
