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
  action?: { label: string; onAction: () => void }
}

const VISIBLE_MS = 6000

const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

/** Shows a brief notification. Errors, and anything with an action, stay until dismissed. */
export function showToast(message: ToastMessage): void {
  queue.add(message, message.kind === 'error' || message.action ? undefined : { timeout: VISIBLE_MS })
}

/** Rendered once, in the admin frame. F6 moves focus to it. */
export function Toasts({ label, dismissLabel }: { label: string; dismissLabel: string }) {
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
                  action.onAction()
                  queue.close(toast.key)
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
