import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'

/** When a campaign is to go out, how that is said on its button and in its confirmation, and whether it can be asked for. */
export function useSendMoment(recipients: number) {
  const { t } = useTranslation('sms')
  const format = useFormat()
  const [sendAt, setSendAt] = useState<string>()
  const [isRefused, setRefused] = useState(false)
  const isHalf = isHalfMoment(sendAt)
  const when = sendAt && !isHalf ? format.dateTime(sendAt) : undefined
  const count = { count: recipients, number: format.number(recipients) }
  return {
    sendAt,
    setSendAt,
    isHalf,
    isRefused: isHalf && isRefused,
    label: when ? t('reach.send-at', { when }) : isHalf ? t('reach.send') : t('reach.send-now', count),
    title: when ? t('reach.confirm-title-at', { ...count, when }) : t('reach.confirm-title', count),
    /** Goes on with `ask`, unless only half a moment is given: then that field has the focus and says so. */
    askFor: (ask: () => void) => {
      setRefused(isHalf)
      if (isHalf) document.getElementById('sendAt')?.focus()
      else ask()
    },
  }
}

interface SendMomentFieldProps {
  moment: ReturnType<typeof useSendMoment>
  hint: string
  /** What the server found wrong with it. */
  error: string | undefined
}

/** A day without a time is no moment here: nothing is sent by a guess. */
export function SendMomentField({ moment, hint, error }: SendMomentFieldProps) {
  const { t } = useTranslation('sms')
  const { words } = useMomentTexts()
  return (
    <DateTimeField
      name="sendAt"
      label={t('reach.when')}
      hint={hint}
      value={moment.sendAt}
      onChange={moment.setSendAt}
      error={moment.isRefused ? words.halfError : error}
      {...words}
    />
  )
}
