// A certificate that is its own authority, for `upstream.example`, and its key: for upstreams of tests alone, good for a hundred years.

export const tlsHost = 'upstream.example';

export const tlsCertificate = `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUSGs57uclC48mrGfYBqQGKrPB6UQwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQdXBzdHJlYW0uZXhhbXBsZTAgFw0yNjExMjIxNjMxMDFaGA8y
MTI2MTAyOTE2MzEwMVowGzEZMBcGA1UEAwwQdXBzdHJlYW0uZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABA2XGoPYAwmedg19xF3rkMDJB2F5ZRYbDCEA
H3PjiJn+7c39G7Xus6hHTAdfEnHCIy+IFhXpp2E6UOdC1UQQlvyjcDBuMB0GA1Ud
DgQWBBTSlu6jrCpByzNfi18UPA/Q36bwijAfBgNVHSMEGDAWgBTSlu6jrCpByzNf
i18UPA/Q36bwijAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHVwc3RyZWFt
LmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIgP0hbC7/I8SgJjqTAklzeqJwfHfqI
oPObQ4AMQ2Mu5eECIQDjtO8ci62roLkxrnRK2l4skskRmNyxQEFmJQJSGsf85A==
-----END CERTIFICATE-----
`;

export const tlsKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrVSJbGqudXz8cdxF
c9tkKOQ0JdyRHOZBO5D/qnOR6FehRANCAAQNlxqD2AMJnnYNfcRd65DAyQdheWUW
GwwhAB9z44iZ/u3N/Ru17rOoR0wHXxJxwiMviBYV6adhOlDnQtVEEJb8
-----END PRIVATE KEY-----
`;
