{{- define "eyot.name" -}}
{{ .Release.Name }}
{{- end }}
{{- define "eyot.labels" -}}
app.kubernetes.io/name: eyot
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
