// A certificate that is good for nothing but tests on loopback, and its key. Made by
//   openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost
//     -addext subjectAltName=DNS:localhost,IP:127.0.0.1

export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUGWtTH1eVy1Af3C7IdoJq9O3aSGAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjE5NTEwNFoYDzIxMjYxMDIz
MTk1MTA0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARaEc0mxD9MpPUWljENDFw8eV/GmP2IS+FTZvLRkJ4rat5pSMpD78E2
ebEzGkwg6hnYR6kTiMWXJnT3Lyx5PnCfo28wbTAdBgNVHQ4EFgQUnDfJhV8DqXST
XNVeMVPS9TTe3PowHwYDVR0jBBgwFoAUnDfJhV8DqXSTXNVeMVPS9TTe3PowDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAKIOjkNF9jDIM1qfOv1pq+wiNJcxezgAz2e0jlPi+OzHAiBG
KZFoCDUBEQqsg1e7RWnQ4jzfxKvuGcTlpzaxyxsEnQ==
-----END CERTIFICATE-----
`

export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdiL3ENk5a1snjtqb
fCluC8DslmFkOxdy1LnsJr0vY5WhRANCAARaEc0mxD9MpPUWljENDFw8eV/GmP2I
S+FTZvLRkJ4rat5pSMpD78E2ebEzGkwg6hnYR6kTiMWXJnT3Lyx5PnCf
-----END PRIVATE KEY-----
`
