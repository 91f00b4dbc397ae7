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
  /** One way back or onward, such as "Undo". */
  action?: { label: string; onAction: () => void }
}

const VISIBLE_MS = 6000

const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

/** Says in passing what has been done. A fault, and anything with an action, stays until it is dismissed. */
export function showToast(message: ToastMessage): void {
  queue.add(message, message.kind === 'error' || message.action ? undefined : { timeout: VISIBLE_MS })
}

/** Once, in the frame of the administrators' pages. F6 leads to it. */
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
