import type { MouseEvent } from 'react'

interface ErrorSummaryProps {
  title: string
  /** In the order of the fields. `id` is the field's; without one the fault is of the whole form. */
  errors: readonly { id?: string; message: string }[]
}

/**
 * What is wrong with a form, above it. It takes the focus when it appears, and each fault leads to its field. A page that shows
 * one also says so first in its title ("Error: …"). Give it a `key` that changes with each attempt to have it take the focus again.
 */
export function ErrorSummary({ title, errors }: ErrorSummaryProps) {
  const told = errors.map(({ message }) => message).join('\n')
  if (errors.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- without a script the browser itself takes the reader here
    <div className="error-summary" key={told} ref={takeFocus} tabIndex={-1} autoFocus>
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

const takeFocus = (box: HTMLElement | null): void => box?.focus()

/** Following the link alone would scroll to the field; the reader wants to type. */
function focusField(event: MouseEvent, id: string): void {
  const field = document.getElementById(id)
  if (!field) return
  event.preventDefault()
  ;(field.closest('.field') ?? field).scrollIntoView({ block: 'start' })
  field.focus({ preventScroll: true })
}
