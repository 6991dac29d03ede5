{{- define "eyot.name" -}}
{{ .Release.Name }}
{{- end }}
{{- define "eyot.labels" -}}
app.kubernetes.io/name: eyot
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "eyot.postgres" -}}
{{- if or .Values.database.url .Values.database.secretKeys.url }}yes{{ end }}
{{- end }}
{{- define "eyot.drain" -}}
{{- if ne (toString .Values.drainSeconds) "" }}{{ int .Values.drainSeconds }}{{ else }}{{ if gt (int .Values.replicaCount) 1 }}10{{ else }}0{{ end }}{{ end }}
{{- end }}
{{- define "eyot.checks" -}}
{{- $chart := list "database-url" "database-direct-url" "http-host" "http-port" "ops-host" "ops-port" "control-host" "control-port" "master-key-file" "drain-seconds" "trusted-proxies" }}
{{- range $index, $name := $chart }}
{{- if hasKey $.Values.config $name }}{{ fail (printf "config: the chart writes %s itself: set it by its own value" $name) }}{{ end }}
{{- end }}
{{- if and (gt (int .Values.replicaCount) 1) (not (include "eyot.postgres" .)) }}{{ fail "replicaCount: several pods need database.url, because SQLite takes one server at a time" }}{{ end }}
{{- if and .Values.database.url .Values.database.secretKeys.url }}{{ fail "database.url and database.secretKeys.url exclude each other" }}{{ end }}
{{- if and .Values.database.directUrl .Values.database.secretKeys.directUrl }}{{ fail "database.directUrl and database.secretKeys.directUrl exclude each other" }}{{ end }}
{{- if and (or .Values.database.directUrl .Values.database.secretKeys.directUrl) (not (include "eyot.postgres" .)) }}{{ fail "database.directUrl needs database.url" }}{{ end }}
{{- if and (or .Values.database.secretKeys.url .Values.database.secretKeys.directUrl .Values.database.secretKeys.password) (not .Values.database.existingSecret) }}{{ fail "database.secretKeys needs database.existingSecret, the secret that has the keys" }}{{ end }}
{{- end }}
{{- define "eyot.settings" -}}
{{- if .Values.database.url }}
database-url: {{ .Values.database.url | quote }}
{{- end }}
{{- if not (include "eyot.postgres" .) }}
database-url: sqlite:/var/lib/eyot/eyot.sqlite
{{- end }}
{{- if .Values.database.directUrl }}
database-direct-url: {{ .Values.database.directUrl | quote }}
{{- end }}
http-host: 0.0.0.0
http-port: 8080
ops-host: 0.0.0.0
ops-port: 8081
control-host: 0.0.0.0
control-port: 8082
master-key-file: /etc/eyot-secret/master-key
drain-seconds: {{ include "eyot.drain" . }}
{{- if not (hasKey .Values.config "log-format") }}
log-format: json
{{- end }}
{{- if .Values.trustedProxies }}
trusted-proxies: {{ .Values.trustedProxies | quote }}
{{- end }}
{{- range $name, $value := .Values.config }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
