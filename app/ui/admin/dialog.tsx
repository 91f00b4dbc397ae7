import { useState, type FormEvent, type ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'

interface DialogProps {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  closeLabel: string
  children: ReactNode
  /** Makes the content a form with this button at the bottom, which Enter in a field presses too. */
  submit?: DialogSubmit
  /** Buttons at the bottom of a dialog that is no form; the primary one last. */
  actions?: ReactNode
  size?: 'small' | 'medium' | 'large' | 'side'
}

interface DialogSubmit {
  label: ReactNode
  onSubmit: () => void
  pending?: boolean
  disabled?: boolean
}

/** React bubbles events to the form that opened the dialog, although the dialog is outside its markup. */
const submitHereOnly = (event: FormEvent) => event.stopPropagation()

/** A modal dialog that traps focus while open and restores it on close. `side` keeps the page visible beside it. */
export function Dialog({ title, isOpen, onClose, closeLabel, children, submit, actions, size = 'medium' }: DialogProps) {
  const body = (
    <div className="dialog-body" onSubmit={submitHereOnly}>
      {children}
    </div>
  )
  return (
    <ModalOverlay className="overlay" isDismissable isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Modal className={`dialog dialog-${size}`}>
        <AriaDialog>
          <div className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <button type="button" className="icon-button" aria-label={closeLabel} onClick={onClose}>
              <Icon name="close" />
            </button>
          </div>
          {submit ? (
            <form noValidate onSubmit={(event) => submitDialog(event, submit)}>
              {body}
              <div className="dialog-actions">
                <Button type="submit" pending={submit.pending ?? false} disabled={submit.disabled}>
                  {submit.label}
                </Button>
              </div>
            </form>
          ) : (
            body
          )}
          {actions && <div className="dialog-actions">{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

function submitDialog(event: FormEvent, { onSubmit }: DialogSubmit): void {
  event.preventDefault()
  event.stopPropagation()
  onSubmit()
}

/** How long after a confirmation its button may still be removed or disabled, in milliseconds. */
const KEEP_FOCUS_MS = 3000

/**
 * The button that opened the dialog may be removed or disabled by what was confirmed, such as “Publish…” after publishing, also a while after
 * the dialog has closed. A closing dialog restores focus in the next frame.
 */
function keepFocusOnPage(): void {
  const refocus = () =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
      }),
    )
  refocus()
  const observer = new MutationObserver(refocus)
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  setTimeout(() => observer.disconnect(), KEEP_FOCUS_MS)
}

interface ConfirmDialogProps {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  /** May be asynchronous: the button shows progress and the dialog stays open until it is done. The caller shows failures. */
  onConfirm: () => void | Promise<void>
  /** The action, as a verb: "Delete 12 responses". */
  confirmLabel: string
  cancelLabel: string
  danger?: boolean
  /** True as long as a reason is missing, for example. */
  confirmDisabled?: boolean
  /** Explains the consequences, with any fields needed. */
  children?: ReactNode
}

/** Asks for confirmation of something that cannot be undone. Focus starts on Cancel, or before its fields if there are any. */
export function ConfirmDialog({
  title,
  isOpen,
  onClose,
  onConfirm,
  confirmLabel,
  cancelLabel,
  danger = false,
  confirmDisabled = false,
  children,
}: ConfirmDialogProps) {
  const [pending, setPending] = useState(false)
  const confirm = async () => {
    setPending(true)
    try {
      await onConfirm()
    } finally {
      setPending(false)
      keepFocusOnPage()
    }
  }
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} isKeyboardDismissDisabled={pending} onOpenChange={(open) => !open && onClose()}>
      <Modal className="dialog dialog-small">
        <AriaDialog role="alertdialog">
          <div className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
          </div>
          {children && (
            <div className="dialog-body" onSubmit={submitHereOnly}>
              {children}
            </div>
          )}
          <div className="dialog-actions">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- focus starts on the safe choice */}
            <Button kind="secondary" type="button" autoFocus={!children} disabled={pending} onClick={onClose}>
              {cancelLabel}
            </Button>
            <Button
              kind={danger ? 'danger' : 'primary'}
              type="button"
              pending={pending}
              disabled={confirmDisabled}
              onClick={() => void confirm()}
            >
              {confirmLabel}
            </Button>
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
