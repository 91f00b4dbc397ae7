import { useSyncExternalStore } from 'react'
import { Button } from 'react-aria-components/Button'
import { Text } from 'react-aria-components/Text'
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast'
import { Icon } from '../icon.tsx'

export interface ToastMessage {
  kind?: 'success' | 'error' | 'info'
  text: string
  /** A single action, such as "Undo". */
  action?: {
    label: string
    onAction: () => void | Promise<void>
    /** How long it is offered; until dismissed if left out. The time stands still while the pointer or the focus is on the message. */
    visibleMs?: number
  }
}

const VISIBLE_MS = 6000

const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

/** Shows a brief notification. Errors stay until dismissed, and so do those with an action, unless it says how long it is offered. */
export function showToast({ kind, action, ...message }: ToastMessage): void {
  const timeout = kind === 'error' ? undefined : action ? action.visibleMs : VISIBLE_MS
  queue.add({ ...message, kind, action }, timeout === undefined ? undefined : { timeout })
}

interface ToastsProps {
  label: string
  dismissLabel: string
  /** One sentence about an action that failed. */
  describeError: (error: unknown) => string
}

/** Rendered once, in the admin frame. F6 moves focus to it. */
export function Toasts({ label, dismissLabel, describeError }: ToastsProps) {
  // React Aria makes a region reachable with F6 when it is mounted, and one without a message has no element yet.
  const isEmpty = useSyncExternalStore(
    (onChange) => queue.subscribe(onChange),
    () => queue.visibleToasts.length === 0,
    () => true,
  )
  if (isEmpty) return null
  const act = async (message: ToastMessage) => {
    try {
      await message.action?.onAction()
    } catch (error) {
      // What failed can be tried again.
      showToast(message)
      showToast({ kind: 'error', text: describeError(error) })
    }
  }
  return (
    <ToastRegion className="toasts" queue={queue} aria-label={label}>
      {({ toast }) => {
        const { kind = 'success', text, action } = toast.content
        return (
          <Toast className={`toast toast-${kind}`} toast={toast}>
            <Icon name={kind} />
            <ToastContent>
              <Text slot="title">{text}</Text>
            </ToastContent>
            {action && (
              <Button
                className="toast-action"
                onPress={() => {
                  queue.close(toast.key)
                  void act(toast.content)
                }}
              >
                {action.label}
              </Button>
            )}
            <Button className="icon-button" slot="close" aria-label={dismissLabel}>
              <Icon name="close" />
            </Button>
          </Toast>
        )
      }}
    </ToastRegion>
  )
}
