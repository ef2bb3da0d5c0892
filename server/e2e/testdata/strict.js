addEventListener('securitypolicyviolation', e => report('violation', e.violatedDirective + ' ' + e.sample))
addEventListener('click', e => report('strict-click', e.isTrusted))
addEventListener('input', e => report('strict-input', e.target.value))
