import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { describePasskeyFault, type PasskeyFault } from './use-passkey.ts'

interface PasskeyFormProps {
  button: string
  /** The form stands below another one, which is the usual way. */
  isAside?: true
  /** Asks the browser for the passkey's answer. */
  ask: () => Promise<string>
  /** Waits for a passkey that the person chooses elsewhere on the page; the form is then submitted with its answer. Must not change. */
  offer?: () => Promise<string | undefined>
  /** Other fields. The browser is asked once they are filled in; the server says what is wrong with them. */
  children?: ReactNode
}

/** A form that submits a passkey's response. Pressing its button asks for the passkey. */
export function PasskeyForm({ button, isAside, ask, offer, children }: PasskeyFormProps) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const answer = useRef<HTMLInputElement>(null)
  const [isWaiting, setWaiting] = useState(false)
  const [fault, setFault] = useState<PasskeyFault | null>(null)
  useEffect(() => {
    const takeOffered = async () => {
      // Whatever ends the offer, such as the button being pressed, is no fault of the person.
      const given = await offer?.().catch(() => undefined)
      if (!given || !answer.current) return
      answer.current.value = given
      answer.current.form?.requestSubmit()
    }
    void takeOffered()
  }, [offer])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    if (!answer.current || answer.current.value || !form.checkValidity()) return
    event.preventDefault()
    setWaiting(true)
    setFault(null)
    try {
      answer.current.value = await ask()
      form.requestSubmit()
    } catch (error) {
      setFault(describePasskeyFault(error))
      setWaiting(false)
    }
  }
  return (
    <form method="post" action={action} className={isAside ? undefined : 'form'} onSubmit={(event) => void submit(event)} noValidate>
      {children}
      <input ref={answer} type="hidden" name="passkey" />
      <noscript>
        <p>{t('passkeys.no-script')}</p>
      </noscript>
      <div className="form-actions">
        <Button type="submit" kind={isAside ? 'secondary' : 'primary'} pending={isWaiting}>
          {button}
        </Button>
      </div>
      <p className="passkey-fault" role="alert">
        {fault && t(`passkeys.${fault}`)}
      </p>
    </form>
  )
}
