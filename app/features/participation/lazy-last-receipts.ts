import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only if the browser holds receipts. */
export const LastReceipts = lazyRouteComponent(() => import('./LastReceipts.tsx'), 'LastReceipts')
