import type { ButtonHTMLAttributes, MouseEventHandler, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type ButtonKind = 'primary' | 'secondary' | 'light' | 'outline-light' | 'danger' | 'plain'

export interface ButtonLook {
  /** `light` and `outline-light` are for dark backgrounds such as a hero. */
  kind?: ButtonKind
  size?: 'medium' | 'small'
  /** Full width of its container. */
  wide?: boolean
}

/** Class names for a router link or anything else that should look like a button. */
export function getButtonClass({ kind = 'primary', size = 'medium', wide = false }: ButtonLook = {}): string {
  return classNames('button', kind !== 'primary' && `button-${kind}`, size === 'small' && 'button-small', wide && 'button-wide')
}

/** A button submits its form only if `type` says so; any other button needs `onClick`. */
type ButtonAction =
  | { type: 'submit'; onClick?: MouseEventHandler<HTMLButtonElement> }
  | { type?: 'button'; onClick: MouseEventHandler<HTMLButtonElement> }

type ButtonProps = ButtonLook &
  ButtonAction &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type' | 'onClick'> & {
    /** Shows that its action is running; further presses do nothing. */
    pending?: boolean
  }

export function Button({ type, kind, size, wide, pending = false, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      className={getButtonClass({ kind, size, wide })}
      aria-disabled={pending || undefined}
      data-pending={pending || undefined}
      onClick={(event) => (pending ? event.preventDefault() : onClick?.(event))}
    >
      {pending && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}

/** A plain link that looks like a button. For a router link: `<Link className={getButtonClass()}>`. */
export function ButtonLink({ href, kind, size, wide, children }: ButtonLook & { href: string; children: ReactNode }) {
  return (
    <a href={href} className={getButtonClass({ kind, size, wide })}>
      {children}
    </a>
  )
}
