/**
 * Credentials that always work in the sandbox, and its namespace. They are not secret, because the sandbox holds no one's data.
 */
export const SANDBOX_PROFILE = {
  namespace: 'http://api.marketplace.example',
  appId: 1,
  publicKey: '9b1f6a2e-5eed-4c0d-8b1f-5a6db0c5e11e',
  appKey: '5a4d0b0c-5eed-4c0d-8b1f-5a6db0c5e11e',
  userId: 1001,
  token: 'sandbox-token-of-seller-1001',
} as const satisfies { namespace: string; appId: number; publicKey: string; appKey: string; userId: number; token: string }
