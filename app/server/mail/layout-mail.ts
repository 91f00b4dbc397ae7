import type { Language } from '../../lib/languages.ts'

/** A mail's text, part by part, in the reader's language. */
export interface MailContent {
  subject: string
  paragraphs: string[]
  /** For a mail that lists things: each with its page. */
  links?: { label: string; href: string }[]
  /** The call to action, if there is one. */
  action?: { label: string; href: string }
  /** Small print after the action: how long a link works, what to do if it was somebody else. */
  small?: string[]
  /** Who sends this and why, in one line. */
  footer: string
  /** Where the reader chooses what they get, after the footer. */
  settings?: { label: string; href: string }
  /** The unsubscribe link, after the footer. */
  leave?: { label: string; href: string }
}

/** Both bodies of a mail. No images and no tracking. */
export function layoutMail(content: MailContent, language: Language): { text: string; html: string } {
  const { paragraphs, links = [], action, small = [], footer, settings, leave } = content
  const colon = language === 'fr-CA' ? '\u00a0:' : ':'
  const footerLinks = [settings, leave].filter((link) => link !== undefined)
  const text = [
    ...paragraphs,
    ...links.map(({ label, href }) => `${label}\n${href}`),
    ...(action ? [`${action.label}${colon}\n${action.href}`] : []),
    ...small,
    `--\n${footer}`,
    ...footerLinks.map(({ label, href }) => `${label}${colon}\n${href}`),
  ].join('\n\n')
  const renderParagraph = (style: string, body: string) => `<p style="margin:0 0 16px;${style}">${body}</p>`
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(content.subject)}</title></head>`,
    '<body style="margin:0;padding:24px;background:#faf7f2;color:#1c1b19;font:16px/1.5 system-ui,sans-serif">',
    '<div style="max-width:560px;margin:0 auto;padding:24px 24px 8px;background:#ffffff;border-radius:12px 12px 12px 0">',
    ...paragraphs.map((paragraph) => renderParagraph('', escapeHtml(paragraph))),
    ...links.map(({ label, href }) => renderParagraph('', `<a href="${escapeHtml(href)}" style="color:inherit">${escapeHtml(label)}</a>`)),
    ...(action
      ? [
          renderParagraph('', renderButton(action)),
          renderParagraph('font-size:14px;color:#55524d;word-break:break-all', escapeHtml(action.href)),
        ]
      : []),
    ...small.map((paragraph) => renderParagraph('font-size:14px;color:#55524d', escapeHtml(paragraph))),
    '</div>',
    `<p style="max-width:560px;margin:16px auto;font-size:13px;color:#55524d">${[escapeHtml(footer), ...footerLinks.map(renderFooterLink)].join('<br>')}</p>`,
    '</body></html>',
  ].join('\n')
  return { text, html }
}

const renderFooterLink = ({ label, href }: { label: string; href: string }) =>
  `<a href="${escapeHtml(href)}" style="color:inherit">${escapeHtml(label)}</a>`

const renderButton = ({ label, href }: { label: string; href: string }) =>
  `<a href="${escapeHtml(href)}" style="display:inline-block;padding:12px 20px;background:#1c1b19;color:#ffffff;text-decoration:none;border-radius:8px 8px 8px 0">${escapeHtml(label)}</a>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
