import { Writable } from 'node:stream'
import { getSsrStatus, RouterServer, transformHtmlStringWithRouter } from '@tanstack/react-router/ssr/server'
import { defineHandlerCallback } from '@tanstack/react-start/server'
import { createElement, type ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'

const DOCTYPE = '<!DOCTYPE html>'

/**
 * Renders a page as one text. Every page is finished before its first byte is sent (`finishPage`), so nothing would come sooner by streaming it, and
 * handing it on in pieces takes longer.
 */
export const renderDocument = defineHandlerCallback(async ({ request, router, responseHeaders }) => {
  try {
    const html = await renderWhole(createElement(RouterServer, { router }), router.options.ssr?.nonce, request.signal)
    // The router writes the doctype itself.
    const page = await transformHtmlStringWithRouter(router, html.startsWith(DOCTYPE) ? html.slice(DOCTYPE.length) : html)
    return new Response(page, { status: getSsrStatus(router), headers: responseHeaders })
  } catch (error) {
    router.serverSsr?.cleanup()
    throw error
  }
})

/** Waits for whatever the page suspends on. */
function renderWhole(page: ReactNode, nonce: string | undefined, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = []
    const text = new Writable({
      write: (part: Uint8Array, _, done) => {
        parts.push(part)
        done()
      },
      final: (done) => {
        resolve(Buffer.concat(parts).toString('utf8'))
        done()
      },
    })
    const { pipe, abort } = renderToPipeableStream(page, {
      ...(nonce !== undefined && { nonce }),
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => pipe(text),
      onShellError: reject,
      onError: (error, info) => {
        // oxlint-disable-next-line no-console -- becomes a line of the log (`console-to-log.ts`)
        if (!signal.aborted) console.error('Error in rendering:', error, info)
      },
    })
    signal.addEventListener('abort', () => abort(signal.reason), { once: true })
  })
}
