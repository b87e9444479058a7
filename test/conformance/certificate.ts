// A self-signed certificate for the hosts that components call, and its key, for this suite, valid for a hundred years.

export const upstreamHosts = [
  'account.docusign.com',
  'api.apify.com',
  'api.pipedream.com',
  'api.ramp.com',
  'app.clio.com',
  'app.launchdarkly.com',
  'demo.ds.test',
  'gitlab.com',
  'gitlab.upstream.example',
  'platform.brexapis.com',
  'quickbooks.api.intuit.com',
  'slack.com',
] as const;

export type UpstreamHost = (typeof upstreamHosts)[number];

export const certificate = `-----BEGIN CERTIFICATE-----
MIICnjCCAkOgAwIBAgIUSLLerOvUALYxkvln/jfN7/y/IKEwCgYIKoZIzj0EAwIw
LTErMCkGA1UEAwwidXBzdHJlYW1zIG9mIHRoZSBjb25mb3JtYW5jZSBzdWl0ZTAg
Fw0yNjExMjMxMjE1NDZaGA8yMTI2MTAzMDEyMTU0NlowLTErMCkGA1UEAwwidXBz
dHJlYW1zIG9mIHRoZSBjb25mb3JtYW5jZSBzdWl0ZTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABKkdEI9OhYwzVBSDHHaEueEukr8CUIKxfn6upuP43UHiPG642LIY
v1VH4WPv91+cWjliZN1Oj02O4Urb5z5DwZOjggE9MIIBOTAdBgNVHQ4EFgQUULj0
/42Gsqgq4O+0vPNx0YKAlwIwHwYDVR0jBBgwFoAUULj0/42Gsqgq4O+0vPNx0YKA
lwIwDwYDVR0TAQH/BAUwAwEB/zCB5QYDVR0RBIHdMIHaggpnaXRsYWIuY29tghdn
aXRsYWIudXBzdHJlYW0uZXhhbXBsZYIUYXBwLmxhdW5jaGRhcmtseS5jb22CFXBs
YXRmb3JtLmJyZXhhcGlzLmNvbYIMYXBpLnJhbXAuY29tghlxdWlja2Jvb2tzLmFw
aS5pbnR1aXQuY29tghRhY2NvdW50LmRvY3VzaWduLmNvbYIMZGVtby5kcy50ZXN0
ghFhcGkucGlwZWRyZWFtLmNvbYIMYXBwLmNsaW8uY29tgg1hcGkuYXBpZnkuY29t
gglzbGFjay5jb20wCgYIKoZIzj0EAwIDSQAwRgIhAJDUbqgkQ5Zj9Ww6VuGzA76m
A/QQE29bm4qAMcYDDx7MAiEApQU9scMS1ggez3IfIbsHT42ciedXW1XUpeTAa4Op
J0w=
-----END CERTIFICATE-----
`;

export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGKAWBP+q1t8X4Pt3
zpYyQuIImO+2b+DCTctMmfO4ZlehRANCAASpHRCPToWMM1QUgxx2hLnhLpK/AlCC
sX5+rqbj+N1B4jxuuNiyGL9VR+Fj7/dfnFo5YmTdTo9NjuFK2+c+Q8GT
-----END PRIVATE KEY-----
`;
